import type { Failure } from "./protocol.ts";

/** A failure that pages word by its code. */
export class WorkerError extends Error {
  override readonly name = "WorkerError";
  readonly code: Failure["code"];
  constructor({ code, message }: Failure, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Returns an error as workers post it. */
export const failureOf = (error: unknown): Failure => ({
  code: error instanceof WorkerError ? error.code : "drawing",
  message: error instanceof Error ? error.message : String(error),
});
