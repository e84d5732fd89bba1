/** What can be wrong with a request before any action sees it, as facts. */

/** No key or token came, or none that is good. */
export class Unauthorized extends Error {
  override readonly name = "Unauthorized";
  /** Whether something came that was no good, as opposed to nothing at all. */
  readonly presented: boolean;
  constructor(message: string, presented: boolean) {
    super(message);
    this.presented = presented;
  }
}

/** No route has this path. */
export class NoSuchPath extends Error {
  override readonly name = "NoSuchPath";
  constructor(path: string, options?: ErrorOptions) {
    super(`nothing is served at ${path}`, options);
  }
}

/** There is such a path, but not for this method. */
export class MethodNotAllowed extends Error {
  override readonly name = "MethodNotAllowed";
  readonly allowed: readonly string[];
  constructor(method: string, allowed: readonly string[]) {
    super(`expected one of the methods ${allowed.join(", ")}, got ${method}`);
    this.allowed = allowed;
  }
}

/** The body is of a kind that the route does not read. */
export class UnsupportedMediaType extends Error {
  override readonly name = "UnsupportedMediaType";
  constructor(expected: string, received: string | undefined) {
    super(`expected a body of the type ${expected}, got ${received || "none"}`);
  }
}

/** The body should be JSON and is not. */
export class MalformedJson extends Error {
  override readonly name = "MalformedJson";
}

/** A header or the body's framing cannot be used. */
export class MalformedRequest extends Error {
  override readonly name = "MalformedRequest";
}

/** The service cannot answer just now: it is stopping, or the database is away. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
}

/** The part that was asked for lies beyond the end. */
export class RangeNotSatisfiable extends Error {
  override readonly name = "RangeNotSatisfiable";
  /** Bytes of the whole. */
  readonly length: number;
  constructor(length: number) {
    super(`the whole has ${length} bytes`);
    this.length = length;
  }
}

/** The request is meant for another host, or comes from another one's page. */
export class ForeignOrigin extends Error {
  override readonly name = "ForeignOrigin";
  constructor(header: string, received: string) {
    super(`${header}: expected this service's own address (PUBLIC_URL), got ${received || "none"}`);
  }
}

/** A shop's guest asked for what is the account's own business. */
export class GuestRefused extends Error {
  override readonly name = "GuestRefused";
  constructor() {
    super("a guest's session reaches sources, patterns and renders that were made in it, only");
  }
}
