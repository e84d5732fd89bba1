/** An engine whose renders wait for a release, so that a test can act while one is in progress. */
import type { Engine } from "../../engine/index.ts";
import { processEngine } from "../helpers/engine.ts";

export interface BlockedRenders {
  readonly engine: Engine;
  /** Number of started renders. */
  begun(): number;
  /** How renders ended, in order: `done`, or the name of an error. */
  readonly outcomes: readonly string[];
  /** Releases these and all later renders. */
  release(): void;
}

/** The test process's engine, held. */
export async function blockRenders(): Promise<BlockedRenders> {
  const engine = await processEngine();
  const gate = Promise.withResolvers<void>();
  const outcomes: string[] = [];
  let begun = 0;
  return {
    engine: {
      ...engine,
      async render(request, signal) {
        begun += 1;
        await gate.promise;
        try {
          const picture = await engine.render(request, signal);
          outcomes.push("done");
          return picture;
        } catch (error) {
          outcomes.push((error as Error).name);
          throw error;
        }
      },
    },
    begun: () => begun,
    outcomes,
    release: () => gate.resolve(),
  };
}
