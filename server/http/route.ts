/**
 * A route as data, from which the router, the validation and the OpenAPI document are generated.
 */
import type { IncomingHttpHeaders } from "node:http";
import Type, { type Static, type TSchema } from "typebox";
import type { FailureCode } from "../actions/failures.ts";
import type { McpPort } from "../actions/mcp-port.ts";
import type { Limit } from "../actions/rate-limits.ts";
import { ReceivedPicture } from "../actions/received-picture.ts";
import type { Account, Services } from "../actions/services.ts";
import type { SharedHeader } from "./openapi/headers.ts";
import type { Tag } from "./tags.ts";

/**
 * Required authentication: `any`, an API key or user session token; `key`; `jwt`, a user session
 * token; `session`, the id of an MCP session; `guest`, a guest session token; or none.
 */
export type Auth = "any" | "key" | "jwt" | "session" | "guest" | "none";

export interface Call<
  A extends Auth,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  F extends TSchema,
> {
  readonly services: Services;
  readonly mcp: McpPort;
  readonly account: A extends "none" ? null : Account;
  /** Id of the API key. */
  readonly keyId: A extends "key" | "session" ? number : null;
  readonly params: Static<P>;
  readonly query: Static<Q>;
  readonly body: Static<B> | Static<F>;
  /** Handoff of a guest session. */
  readonly handoffId: A extends "guest" ? number : number | null;
  /** Current version of the pattern in the path; null if it was not read. */
  readonly patternVersion: number | null;
  /** The client's address; for IPv6 its network. */
  readonly network: string;
  /** Whether the caller is on this machine, see `isLocalRequest`. */
  readonly isLocal: boolean;
  /** Returns a header by its lower-case name; empty if it is missing. */
  header(name: string): string;
  /** All of them. */
  readonly headers: IncomingHttpHeaders;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

export interface StoredFile {
  /** Bytes. */
  readonly length: number;
  /** Bytes `start` to `end`, both included. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/** Response of a handler, with at most one of the bodies. */
export interface RouteResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** File name of the body. */
  readonly fileName?: string;
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
  /** SHA-256 of the whole body in hex, also where a range of it is sent. */
  readonly sha256?: string;
  /** Whether ranges may be requested; requires an ETag. */
  readonly isRanged?: boolean;
  /** Stored bytes, of which ranges may be requested; requires an ETag. */
  readonly file?: StoredFile;
  readonly stream?: AsyncIterable<Uint8Array>;
  /** Milliseconds after which a client that takes nothing of the stream or file is disconnected. */
  readonly stallTimeoutMs?: number;
  /** Headers that are known only at the end of the stream. */
  readonly trailers?: () => Promise<Readonly<Record<string, string>>>;
}

/** A documented response: JSON by a schema, or other media types. */
export interface DocumentedResponse {
  readonly description: string;
  readonly schema?: TSchema;
  /** Default: composed of the examples in the schema. */
  readonly example?: unknown;
  readonly mediaTypes?: readonly string[];
  /** Descriptions of the headers that every such response has, by their names, */
  readonly headers?: Readonly<Record<string, string>>;
  /** and of optional ones. */
  readonly optionalHeaders?: Readonly<Record<string, string>>;
  /** Optional headers of many responses. */
  readonly sharedHeaders?: readonly SharedHeader[];
}

/** Rate limit of a public route for each address. */
export interface AddressLimit extends Limit {
  /** Its name in the RateLimit headers. */
  readonly policy: string;
}

/** Which origins CORS allows: any, or the editor's and those that accounts list in `return_origins`. */
export type CorsAccess = "any-origin" | "listed-origins";

/** A file in a form. */
export const FilePart = Type.Refine(
  Type.Unsafe<ReceivedPicture>({
    title: "a file",
    shownAs: { type: "string", format: "binary" },
  }),
  (value) => value instanceof ReceivedPicture,
);

/** A body of NDJSON. */
export interface LinesBody {
  readonly field: string;
  /** Limit of the lines, which the field's schema has too. */
  readonly maximum: number;
  readonly maximumBytes: number;
}

export interface Route<
  A extends Auth = Auth,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  F extends TSchema = TSchema,
> {
  readonly method: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE";
  /** As in OpenAPI: `/api/v1/patterns/{id}`. */
  readonly path: string;
  readonly tag: Tag;
  /** Unique; generated clients name their methods by it: `renderPattern`. */
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly auth: A;
  /** Whether guest sessions may call, too, for what they created. */
  readonly allowsGuests?: boolean;
  /** Default: "listed-origins" where guests may call, else the same origin only. */
  readonly corsAccess?: CorsAccess;
  /** Whether the plan must include programmatic access also for user session tokens. */
  readonly programmatic?: boolean;
  /** Whether only operators may call, with a user session token. */
  readonly isForOperators?: boolean;
  /** Whether requests for other hosts and from other origins are refused. */
  readonly isSameOriginOnly?: boolean;
  /** Whether bodies, including those of errors, are JSON-RPC messages. */
  readonly isJsonRpc?: boolean;
  /** Whether the version of the pattern `{id}` in the path is read with the caller's key. */
  readonly readsPatternVersion?: boolean;
  /** `Retry-After` of every `rate_limited`; default: until the limit resets. */
  readonly retrySeconds?: number;
  /** For public routes. */
  readonly addressLimit?: AddressLimit;
  /** Whether it creates or charges something and takes an `Idempotency-Key`, see `runIdempotently`. */
  readonly isIdempotent?: boolean;
  readonly params?: P;
  readonly query?: Q;
  /** The JSON body. */
  readonly body?: B;
  /** Examples of the body by their summaries; default: composed of those in the schema. */
  readonly examples?: Readonly<Record<string, unknown>>;
  /** Maximum bytes of JSON; default: 1 MiB, or 16 KiB for unauthenticated callers. */
  readonly maximumBytes?: number;
  /** Path of a picture in base64 within the JSON; the rest has at most 1 MiB. */
  readonly picturePath?: readonly string[];
  /** The form that is accepted instead of JSON. */
  readonly form?: F;
  /** NDJSON that is accepted instead of JSON: its lines are the items of a field of the body. */
  readonly lines?: LinesBody;
  readonly responses: Readonly<Record<number, DocumentedResponse>>;
  readonly isDeprecated?: boolean;
  /** Whether the documentation omits it. */
  readonly hidden?: boolean;
  /** Failure codes of this route beside those that follow from its other fields. */
  readonly problems?: readonly FailureCode[];
  /** Whether the `read` scope suffices although the method is POST. */
  readonly isReadOnly?: boolean;
  /** Credits. */
  readonly cost: number;
  /** What each of the request costs that much, instead of the request. */
  readonly costUnit?: string;
  handler(call: Call<A, P, Q, B, F>): Promise<RouteResponse>;
}

/** Infers the types of a route's handler from its schemas. */
export function route<
  const A extends Auth,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  F extends TSchema = Type.TNever,
>(definition: Route<A, P, Q, B, F>): Route {
  return definition;
}
