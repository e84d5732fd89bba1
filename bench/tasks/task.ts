/** Tasks that run in their own process, and their cost. */

/** The type of `prepare` that a module of this folder exports. */
export type PrepareTask<Options> = (options: Options) => Promise<{
  /** The measured work. */
  run(): Promise<void>;
  close(): Promise<void>;
}>;

export interface Cost {
  readonly ms: number;
  /** MB (10⁶ bytes) of peak resident memory minus that of the prepared process. */
  readonly megabytes: number;
}
