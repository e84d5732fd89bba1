/** What can go wrong in the engine, as facts. Status codes are the callers' business. */

/** One thing wrong in a recipe: where, what was expected, what came. */
export interface ValidationIssue {
  /** JSON pointer from the request's root, e.g. `/surface_effects/0/id`. */
  readonly path: string;
  readonly message: string;
  readonly expected?: string;
  readonly received?: string;
}

/** The recipe asks for something that does not exist or cannot be drawn. */
export class InvalidRecipe extends Error {
  override readonly name = "InvalidRecipe";
  readonly issues: readonly ValidationIssue[];
  constructor(issues: readonly ValidationIssue[]) {
    super(issues.map((issue) => `${issue.path}: ${issue.message}`).join("; "));
    this.issues = issues;
  }
}

/** The source's bytes are no picture that can be read. */
export class SourceUnreadable extends Error {
  override readonly name = "SourceUnreadable";
}

/** The source is a picture, but a larger one than is taken. */
export class SourceTooLarge extends Error {
  override readonly name = "SourceTooLarge";
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

/** More renders wait than the queue holds. */
export class Overloaded extends Error {
  override readonly name = "Overloaded";
  readonly waiting: number;
  constructor(waiting: number) {
    super(`${waiting} others are waiting already`);
    this.waiting = waiting;
  }
}

/** A job was not done by its deadline, and was ended. */
export class DeadlineExceeded extends Error {
  override readonly name = "DeadlineExceeded";
  readonly milliseconds: number;
  constructor(milliseconds: number) {
    super(`the job was not done within ${milliseconds / 1000} seconds`);
    this.milliseconds = milliseconds;
  }
}

/** The backend that was asked for cannot run here. */
export class BackendUnavailable extends Error {
  override readonly name = "BackendUnavailable";
}

/** An error of this file as data, for its way from one thread to another. */
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
  DeadlineExceeded,
  BackendUnavailable,
] as const;

/** Takes an error apart. */
export function toPlain(error: unknown): PlainError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { name, message, stack, facts: { ...(error as object) } };
}

/** Puts an error together again, as the class it had if that is one of this file; it may be taken apart once more. */
export function fromPlain({ name, message, stack, facts }: PlainError): Error {
  const kind = KINDS.find((candidate) => candidate.name === name);
  const error = kind === undefined ? new Error(message) : Object.create(kind.prototype);
  Object.assign(error, facts);
  for (const [key, value] of Object.entries({ name, message, stack })) {
    Object.defineProperty(error, key, { value, configurable: true, writable: true });
  }
  return error;
}
