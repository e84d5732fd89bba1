/** An engine whose renders wait for a sign, so that a test can do something while one is under way. */
import type { Engine } from "../../engine/index.ts";
import { processEngine } from "../helpers/services.ts";

export interface HeldRenders {
  readonly engine: Engine;
  /** Renders that have begun. */
  begun(): number;
  /** How renders ended, in order: `done`, or the name of an error. */
  readonly outcomes: readonly string[];
  /** Lets them go on, these and all to come. */
  release(): void;
}

/** The test process's engine, held. */
export async function holdRenders(): Promise<HeldRenders> {
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
