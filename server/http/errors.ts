/** What can be wrong with a request before any action sees it, as facts. */
import type { ValidationIssue } from "../actions/errors.ts";
import type { FailureCode } from "../actions/failures.ts";
import type { ReadinessChecks } from "../actions/readiness.ts";

/** No key or token came, or none that is good. */
export class Unauthorized extends Error {
  override readonly name = "Unauthorized";
  readonly code = "unauthorized" satisfies FailureCode;
  /** Whether a key or token was presented. */
  readonly presented: boolean;
  constructor(message: string, presented: boolean) {
    super(message);
    this.presented = presented;
  }
}

/** No route has this path. */
export class NoSuchPath extends Error {
  override readonly name = "NoSuchPath";
  readonly code = "not_found" satisfies FailureCode;
  constructor(path: string, options?: ErrorOptions) {
    super(`nothing is served at ${path}`, options);
  }
}

/** There is such a path, but not for this method. */
export class MethodNotAllowed extends Error {
  override readonly name = "MethodNotAllowed";
  readonly code = "method_not_allowed" satisfies FailureCode;
  readonly headers: Readonly<Record<string, string>>;
  constructor(method: string, allowed: readonly string[]) {
    const list = allowed.join(", ");
    super(`expected one of the methods ${list}, got ${method}`);
    this.headers = { Allow: list };
  }
}

/** The body is of a media type or an encoding that the route does not read. */
export class UnsupportedMediaType extends Error {
  override readonly name = "UnsupportedMediaType";
  readonly code = "unsupported_media_type" satisfies FailureCode;
  /** The header of the response that lists what is read, and its value. */
  readonly headers: Readonly<Record<string, string>>;

  private constructor(message: string, headers: Readonly<Record<string, string>>) {
    super(message);
    this.headers = headers;
  }

  /** `Accept-Post` is of https://www.w3.org/TR/ldp/, `Accept-Patch` of RFC 5789. */
  static ofType(method: string, types: readonly string[], received: string): UnsupportedMediaType {
    const message = `expected a body of the type ${types.join(" or ")}, got ${received || "no Content-Type"}`;
    const header = method === "PATCH" ? "Accept-Patch" : "Accept-Post";
    return new UnsupportedMediaType(message, { [header]: types.join(", ") });
  }

  /** RFC 9110, section 12.5.3: `Accept-Encoding` in a response. */
  static ofEncoding(encodings: readonly string[], received: string): UnsupportedMediaType {
    const list = encodings.join(", ");
    const message = `Content-Encoding: expected one of ${list}, got ${received}`;
    return new UnsupportedMediaType(message, { "Accept-Encoding": list });
  }
}

/** The body should be JSON and is not. */
export class MalformedJson extends Error {
  override readonly name = "MalformedJson";
  readonly code = "malformed_json" satisfies FailureCode;
}

/** Something wrong at one place of a request. */
export interface InputIssue extends ValidationIssue {
  readonly in: "path" | "query" | "header" | "body";
}

/** A header or the body's framing cannot be used. */
export class MalformedRequest extends Error {
  override readonly name = "MalformedRequest";
  readonly code = "malformed_request" satisfies FailureCode;
  /** The headers, and what else is wrong beside them; empty where it is the framing. */
  readonly issues: readonly InputIssue[] = [];

  static of(issues: readonly InputIssue[]): MalformedRequest {
    const texts = issues.map(({ path, message }) => `${path.slice(1)}: ${message}`);
    return Object.assign(new MalformedRequest(texts.join("; ")), { issues });
  }
}

/** The request did not arrive in time. */
export class RequestTimeout extends Error {
  override readonly name = "RequestTimeout";
  readonly code = "request_timeout" satisfies FailureCode;
}

/** The service cannot answer just now: it is stopping, or the database is away. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
  readonly code = "unavailable" satisfies FailureCode;
}

/** Checks of readiness fail. */
export class NotReadyToServe extends Error {
  override readonly name = "NotReadyToServe";
  readonly code = "unavailable" satisfies FailureCode;
  readonly checks: ReadinessChecks;
  constructor(failing: readonly string[], checks: ReadinessChecks) {
    super(`failing: ${failing.join(", ")}`);
    this.checks = checks;
  }
}

/** The part that was asked for lies beyond the end. */
export class RangeNotSatisfiable extends Error {
  override readonly name = "RangeNotSatisfiable";
  readonly code = "range_not_satisfiable" satisfies FailureCode;
  readonly headers: Readonly<Record<string, string>>;
  /** @param length bytes of the whole */
  constructor(length: number) {
    super(`the whole has ${length} bytes`);
    this.headers = { "Content-Range": `bytes */${length}` };
  }
}

const OWN_ADDRESS = "this service's own address (PUBLIC_URL)";

/** The request is meant for another host, or comes from another one's page. */
export class ForeignOrigin extends Error {
  override readonly name = "ForeignOrigin";
  readonly code = "origin_refused" satisfies FailureCode;
  constructor(header: string, received: string, expected = OWN_ADDRESS) {
    super(`${header}: expected ${expected}, got ${received || "none"}`);
  }
}

/** A shop's guest asked for what is the account's own business. */
export class GuestRefused extends Error {
  override readonly name = "GuestRefused";
  readonly code = "guest_refused" satisfies FailureCode;
  constructor() {
    super(
      "a guest's session reaches sources, patterns, renders and mockups that were made in it, only",
    );
  }
}
