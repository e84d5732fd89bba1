/** What a task is that runs in a process of its own, and what is learnt of it. */

/** A module of this folder exports `prepare` of this type. */
export type PrepareTask<Options> = (options: Options) => Promise<{
  /** What is measured. */
  run(): Promise<void>;
  close(): Promise<void>;
}>;

export interface Cost {
  readonly ms: number;
  /** MB (10⁶ bytes) of resident memory at the most, over what the prepared process had. */
  readonly megabytes: number;
}
