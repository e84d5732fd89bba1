/** The engine's errors, with their facts. Callers map them to status codes. */

/** A problem in a request: where, what was expected, what was received. */
export interface ValidationIssue {
  /** JSON pointer from the request's root, e.g. `/surface_effects/0/id`. */
  readonly path: string;
  readonly message: string;
  readonly expected?: string;
  readonly received?: string;
}

/** The request names something that does not exist or cannot be rendered. */
export class InvalidRecipe extends Error {
  override readonly name = "InvalidRecipe";
  readonly code = "validation_failed";
  readonly issues: readonly ValidationIssue[];
  constructor(issues: readonly ValidationIssue[]) {
    super(issues.map((issue) => `${issue.path}: ${issue.message}`).join("; "));
    this.issues = issues;
  }
}

/** The source cannot be decoded. */
export class SourceUnreadable extends Error {
  override readonly name = "SourceUnreadable";
  readonly code = "source_unreadable";
}

/** The source has more pixels than are accepted. */
export class SourceTooLarge extends Error {
  override readonly name = "SourceTooLarge";
  readonly code = "payload_too_large";
  readonly width: number;
  readonly height: number;
  readonly maximum: { readonly pixels: number; readonly side: number };
  constructor(
    width: number,
    height: number,
    maximum: { readonly pixels: number; readonly side: number },
  ) {
    super(
      `the picture has ${width} × ${height} = ${width * height} pixels, at most ${maximum.pixels} are taken, and ${maximum.side} on a side`,
    );
    this.width = width;
    this.height = height;
    this.maximum = maximum;
  }
}

/** The queue is full. */
export class Overloaded extends Error {
  override readonly name = "Overloaded";
  readonly code = "overloaded";
  readonly waiting: number;
  constructor(waiting: number) {
    super(`${waiting} others are waiting already`);
    this.waiting = waiting;
  }
}

/** The system killed three processes in a row that decoded or encoded a picture: it lacks memory, perhaps for a while. */
export class CodecKilled extends Error {
  override readonly name = "CodecKilled";
  readonly code = "unavailable";
}

/** A job missed its deadline and was terminated. */
export class DeadlineExceeded extends Error {
  override readonly name = "DeadlineExceeded";
  readonly code = "render_timeout";
  readonly milliseconds: number;
  constructor(milliseconds: number) {
    super(`the job was not done within ${milliseconds / 1000} seconds`);
    this.milliseconds = milliseconds;
  }
}

/** The requested backend cannot run on this machine. */
export class BackendUnavailable extends Error {
  override readonly name = "BackendUnavailable";
  readonly code = "misconfigured";
}

/** An error as data that can be posted between threads. */
export interface PlainError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly facts: Readonly<Record<string, unknown>>;
}

const KINDS = [
  InvalidRecipe,
  SourceUnreadable,
  SourceTooLarge,
  Overloaded,
  CodecKilled,
  DeadlineExceeded,
  BackendUnavailable,
] as const;

/** Whether an error is of one of these classes, which mean the same in every process. */
export const isEngineError = (error: unknown): boolean =>
  KINDS.some((kind) => error instanceof kind);

/** Converts an error to data. */
export function toPlain(error: unknown): PlainError {
  const thrown = error instanceof Error ? error : new Error(String(error));
  const { name, message, stack } = thrown;
  return { name, message, stack, facts: { ...thrown } };
}

/** Converts data back to an error, of its own class if that is one of these. */
export function fromPlain({ name, message, stack, facts }: PlainError): Error {
  const kind = KINDS.find((candidate) => candidate.name === name);
  const error = kind === undefined ? new Error(message) : Object.create(kind.prototype);
  Object.assign(error, facts);
  for (const [key, value] of Object.entries({ name, message, stack })) {
    Object.defineProperty(error, key, { value, configurable: true, writable: true });
  }
  return error;
}
