/** Errors of requests that never reach an action. */
import type { ValidationIssue } from "../actions/errors.ts";
import type { FailureCode } from "../actions/failures.ts";
import type { ReadinessChecks } from "../actions/readiness.ts";

/** The key or token is missing or invalid. */
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
export class PathNotFound extends Error {
  override readonly name = "PathNotFound";
  readonly code = "not_found" satisfies FailureCode;
  constructor(path: string, options?: ErrorOptions) {
    super(`nothing is served at ${path}`, options);
  }
}

/** The path exists, but not for this method. */
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

/** The route does not accept the body's media type or encoding. */
export class UnsupportedMediaType extends Error {
  override readonly name = "UnsupportedMediaType";
  readonly code = "unsupported_media_type" satisfies FailureCode;
  /** The response header that lists the accepted values. */
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

/** The body is not valid JSON. */
export class MalformedJson extends Error {
  override readonly name = "MalformedJson";
  readonly code = "malformed_json" satisfies FailureCode;
}

/** An issue with its place in a request. */
export interface InputIssue extends ValidationIssue {
  readonly in: "path" | "query" | "header" | "body";
}

/** A header or the body's framing is malformed. */
export class MalformedRequest extends Error {
  override readonly name = "MalformedRequest";
  readonly code = "malformed_request" satisfies FailureCode;
  /** The invalid headers and other issues; empty for malformed framing. */
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

/** The service cannot respond now: it is stopping, or the database is unavailable. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
  readonly code = "unavailable" satisfies FailureCode;
}

/** Readiness checks fail. */
export class ReadinessFailed extends Error {
  override readonly name = "ReadinessFailed";
  readonly code = "unavailable" satisfies FailureCode;
  readonly checks: ReadinessChecks;
  constructor(failing: readonly string[], checks: ReadinessChecks) {
    super(`failing: ${failing.join(", ")}`);
    this.checks = checks;
  }
}

/** The requested range starts beyond the end. */
export class RangeNotSatisfiable extends Error {
  override readonly name = "RangeNotSatisfiable";
  readonly code = "range_not_satisfiable" satisfies FailureCode;
  readonly headers: Readonly<Record<string, string>>;
  /** @param length bytes of the file */
  constructor(length: number) {
    super(`the file has ${length} bytes`);
    this.headers = { "Content-Range": `bytes */${length}` };
  }
}

const OWN_ADDRESS = "this service's own address (PUBLIC_URL)";

/** The request names another host, or comes from a page of another origin. */
export class OriginRefused extends Error {
  override readonly name = "OriginRefused";
  readonly code = "origin_refused" satisfies FailureCode;
  constructor(header: string, received: string, expected = OWN_ADDRESS) {
    super(`${header}: expected ${expected}, got ${received || "none"}`);
  }
}

/** The operation is not available to guest sessions. */
export class GuestRefused extends Error {
  override readonly name = "GuestRefused";
  readonly code = "guest_refused" satisfies FailureCode;
  constructor() {
    super("guest sessions can access only what was created in them");
  }
}
