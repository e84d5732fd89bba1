/**
 * A route as data. The router, the checks of what comes in and the OpenAPI document are all made
 * of these objects.
 */
import type { IncomingHttpHeaders } from "node:http";
import Type, { type Static, type TSchema } from "typebox";
import type { FailureCode } from "../actions/failures.ts";
import type { Limit } from "../actions/rate-limits.ts";
import { ReceivedPicture } from "../actions/received-picture.ts";
import type { Account, Services } from "../actions/services.ts";
import type { McpPort } from "../actions/mcp-port.ts";
import type { Tag } from "./tags.ts";

/**
 * Who may call: an account by key or by a person's token, by key only, a person only, a session that
 * was opened with a key, a shop's guest only, or anyone.
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
  /** The key that calls. */
  readonly keyId: A extends "key" | "session" ? number : null;
  readonly params: Static<P>;
  readonly query: Static<Q>;
  readonly body: Static<B> | Static<F>;
  /** The handoff in which a guest calls. */
  readonly handoffId: A extends "guest" ? number : number | null;
  /** The version of the pattern in the path at this moment; null where it was not looked up. */
  readonly patternVersion: number | null;
  /** The address that the request comes from; for IPv6 its network. */
  readonly network: string;
  /** Whether the caller is on this machine, as far as the request shows. */
  readonly isLocal: boolean;
  /** A header of the request, lower case; empty when it is not there. */
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

/** What a handler answers. Exactly one of the bodies, or none for a status without one. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The name to save the body under. */
  readonly fileName?: string;
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
  /** Whether a part of the bytes may be asked for; then they have an ETag. */
  readonly isRanged?: boolean;
  /** Bytes that lie elsewhere, of which a part may be asked for; they have an ETag. */
  readonly file?: StoredFile;
  readonly stream?: AsyncIterable<Uint8Array>;
  /** A reader who takes nothing of the stream or file for so many milliseconds is let go. */
  readonly readerMs?: number;
  /** Headers that are known only after the stream's last byte. */
  readonly trailers?: () => Promise<Readonly<Record<string, string>>>;
}

/** An answer in the documentation: of JSON by a schema, or of other media types. */
export interface Documented {
  readonly description: string;
  readonly schema?: TSchema;
  /** Left out: one that is put together from the examples in the schema. */
  readonly example?: unknown;
  readonly mediaTypes?: readonly string[];
  /** What the headers say that every such answer has, by their names, */
  readonly headers?: Readonly<Record<string, string>>;
  /** and those that some have. */
  readonly someHeaders?: Readonly<Record<string, string>>;
}

/** How often one address may call a route that anyone may call. */
export interface AddressLimit extends Limit {
  /** Its name in the RateLimit headers. */
  readonly policy: string;
}

/**
 * Whose pages may read a response across origins: any origin's, or those of the editor and of shops
 * that accounts list in `return_origins`.
 */
export type Readers = "any" | "shops";

/** A file in a form. */
export const FilePart = Type.Refine(
  Type.Unsafe<ReceivedPicture>({
    title: "a file",
    shownAs: { type: "string", format: "binary" },
  }),
  (value) => value instanceof ReceivedPicture,
);

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
  /** Unique; clients generated from the document name their methods by it: `renderPattern`. */
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly auth: A;
  /** Whether guests may call too; they reach what they made. */
  readonly takesGuests?: boolean;
  /** Left out: "shops" where guests may call, else pages of this origin only. */
  readonly readers?: Readers;
  /** Whether the plan must include programmatic access even when a person calls. */
  readonly programmatic?: boolean;
  /** Whether requests for other hosts, and from other origins' pages, are refused. */
  readonly isOwnOriginOnly?: boolean;
  /** Whether bodies are JSON-RPC messages, those of errors too. */
  readonly isJsonRpc?: boolean;
  /** Whether `{id}` in the path is a pattern's: its version is then looked up with a caller's key. */
  readonly isOfPattern?: boolean;
  /** `Retry-After` of every `rate_limited`, whatever the limit; left out: until requests are taken again. */
  readonly retrySeconds?: number;
  /** For routes that anyone may call. */
  readonly addressLimit?: AddressLimit;
  /** Whether it makes or charges something, so that callers may want it made once: see `once`. */
  readonly isIdempotent?: boolean;
  readonly params?: P;
  readonly query?: Q;
  /** The JSON body. */
  readonly body?: B;
  /** Such bodies, by what they ask for; left out: one of the examples in the schema. */
  readonly examples?: Readonly<Record<string, unknown>>;
  /** Bytes of JSON that are taken at most; left out: 1 MiB, or 16 KiB of callers who need not say who they are. */
  readonly maximumBytes?: number;
  /** Where the JSON may hold a picture in base64, as names from the root; the rest has 1 MiB at most. */
  readonly picturePath?: readonly string[];
  /** The form that is taken instead of JSON. */
  readonly form?: F;
  readonly responses: Readonly<Record<number, Documented>>;
  readonly isDeprecated?: boolean;
  /** Whether it is only a part of a page, and no page of the documentation. */
  readonly hidden?: boolean;
  /** Codes of the errors that this route adds to those that follow from its other fields. */
  readonly problems?: readonly FailureCode[];
  /** Credits. */
  readonly cost: number;
  handler(call: Call<A, P, Q, B, F>): Promise<Answer>;
}

/** Types a route's handler by the route's own schemas. */
export function route<
  const A extends Auth,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  F extends TSchema = Type.TNever,
>(definition: Route<A, P, Q, B, F>): Route {
  return definition as unknown as Route;
}
