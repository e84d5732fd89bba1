/** A worker's bench, made anew when its GPU is lost. */

import { type BackendChoice, openBackend } from "../backend.ts";
import { encoders } from "../encoders/index.ts";
import { BackendUnavailable } from "../errors.ts";
import { DeviceLost } from "../kernel-runner.ts";
import { createWorkerContext, type WorkerContext } from "../render/context.ts";
import type { WorkerSetup } from "./job.ts";

export interface DeviceRecovery {
  /**
   * Does some work on the bench, which is opened by the first work, so that a backend that is not
   * there is that work's failure. When the GPU is lost meanwhile the work is done once more on the GPU
   * opened anew, and when that fails on the CPU, where this thread then stays: `work` has to be such
   * that it can be done again, or to throw something else than `DeviceLost`.
   */
  use<Result>(work: (bench: WorkerContext) => Promise<Result>): Promise<Result>;
}

/** Opens nothing yet. */
export function withDeviceRecovery({ backend, cacheBytes }: WorkerSetup): DeviceRecovery {
  let opened: Promise<WorkerContext> | undefined;

  const open = (choice: BackendChoice): Promise<WorkerContext> => {
    opened ??= openBackend(choice)
      .then((runner) => createWorkerContext(runner, encoders, cacheBytes))
      .catch((error) => {
        opened = undefined;
        throw error;
      });
    return opened;
  };
  const discard = async () => {
    const lost = opened;
    opened = undefined;
    // What is left of it may fail as well.
    await lost?.then(({ runner }) => runner.close()).catch(() => undefined);
  };

  return {
    async use(work) {
      try {
        return await work(await open(backend));
      } catch (error) {
        if (!(error instanceof DeviceLost)) throw error;
        await discard();
      }
      try {
        return await work(await open(backend));
      } catch (error) {
        if (!(error instanceof DeviceLost || error instanceof BackendUnavailable)) throw error;
        await discard();
        process.emitWarning("the GPU was lost; a thread goes on with the CPU", {
          code: "GPU_LOST",
        });
      }
      return work(await open("webasm"));
    },
  };
}
