/** Renders that take too long. */
import type { FailureCode } from "./failures.ts";

/** The first of a picture was not there in time; its render was stopped. */
export class RenderTimeout extends Error {
  override readonly name = "RenderTimeout";
  readonly code = "render_timeout" satisfies FailureCode;
  constructor(milliseconds: number) {
    super(`the render was not done within ${milliseconds / 1000} seconds`);
  }
}

export interface TimeLimit {
  /** Aborts with `RenderTimeout` when the time is over, or with what the caller's signal says. */
  readonly signal: AbortSignal;
  /** The work came in time: from now on only the caller can end it. */
  lift(): void;
}

/** A limit on the time that work may take, beside the caller's own signal. */
export function timeLimit(milliseconds: number, caller: AbortSignal): TimeLimit {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new RenderTimeout(milliseconds)), milliseconds);
  return {
    signal: AbortSignal.any([late.signal, caller]),
    lift: () => clearTimeout(timer),
  };
}
