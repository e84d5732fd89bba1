/** Measures the time of each step of a render. */
/** Returns milliseconds since an arbitrary start. */
export type Clock = () => number;

/** Milliseconds of each step that runs on a worker thread. */
export interface StepTimings {
  readonly sample: number;
  readonly effects: number;
  readonly encode: number;
}

export type Step = keyof StepTimings;

export interface Stopwatch {
  /** Milliseconds of each step so far. */
  readonly spent: Record<Step, number>;
  /** Runs `work` and adds its time to a step. */
  timed<Result>(step: Step, work: () => Result | Promise<Result>): Promise<Result>;
}

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
