/** Creates a worker's context, and again when its GPU is lost. */

import { type BackendChoice, openBackend } from "../backend.ts";
import { encoders } from "../encoders/index.ts";
import { BackendUnavailable } from "../errors.ts";
import { DeviceLost } from "../kernel-runner.ts";
import { createWorkerContext, type WorkerContext } from "../render/context.ts";
import type { WorkerSetup } from "./job.ts";

export interface DeviceRecovery {
  /**
   * Runs work on the context, which the first call creates: a missing backend is that call's error.
   * If the GPU is lost the work is retried on the reopened GPU, then on the CPU, which this thread
   * keeps. `work` must be repeatable, or throw another error than `DeviceLost`.
   */
  use<Result>(work: (context: WorkerContext) => Promise<Result>): Promise<Result>;
}

/** The context is created on first use. */
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
    // Closing a lost device may fail, too.
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
        process.emitWarning("the GPU was lost; a thread continues on the CPU", {
          code: "GPU_LOST",
        });
      }
      return work(await open("webasm"));
    },
  };
}
