/** Which step of a render the time goes into. */
import type { Timings } from "../door.ts";

/** Milliseconds on some clock. */
export type Clock = () => number;

/** The steps that a thread's time goes into. */
export type Step = Exclude<keyof Timings, "queue">;

export interface Stopwatch {
  /** Milliseconds of each step so far. */
  readonly spent: Record<Step, number>;
  /** Does the work and counts its time to a step. */
  timed<Result>(step: Step, work: () => Result | Promise<Result>): Promise<Result>;
}

/** Starts at zero. */
export function createStopwatch(clock: Clock): Stopwatch {
  const spent = { sample: 0, effects: 0, encode: 0 };
  return {
    spent,
    async timed(step, work) {
      const start = clock();
      try {
        return await work();
      } finally {
        spent[step] += clock() - start;
      }
    },
  };
}
