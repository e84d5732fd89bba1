/**
 * Metrics of this process, published on channels of node:diagnostics_channel, which take almost no time
 * without subscribers.
 */
import { channel } from "node:diagnostics_channel";
import type { Timings } from "../../engine/index.ts";
import type { SharedResult } from "../render-cache/index.ts";

/** Transport of a tool call; `execute`: a call without MCP. */
export type McpTransport = "sse" | "http" | "stdio" | "execute";

/** The kinds of measurements. None has a value that names an account, an address or a secret. */
export interface Measurements {
  /** An HTTP request whose response is complete or whose client has disconnected. */
  readonly request: {
    readonly method: string;
    /** Path of the route in the documentation, such as `/api/v1/patterns/{id}`; null if no route matched. */
    readonly route: string | null;
    /** Null for a client that disconnected before it got one. */
    readonly status: number | null;
    readonly seconds: number;
    /** Code of the problem that it was answered with, or null. */
    readonly problem: string | null;
  };
  /** A finished render of a pattern. */
  readonly render: {
    /** `tile`, `surface`, `aperiodic` or `frieze`. */
    readonly mode: string;
    readonly backend: string;
    /** Of a render by several threads they add up to more than its time. */
    readonly timings: Timings;
    readonly milliseconds: number;
  };
  /** A call of the engine by another process. */
  readonly nodeCall: {
    readonly call: string;
    readonly result: "success" | "failure" | "cancelled" | "missing_source";
    readonly seconds: number;
    /** Null unless a picture has been rendered. */
    readonly timings: Timings | null;
  };
  /** A request for a picture of a pattern, rendered or from the cache. */
  readonly picture: {
    /** Whether it came from the cache. */
    readonly isCached: boolean;
  };
  /** A picture that was looked for, or stored, among those that nodes share: see `SharedResult`. */
  readonly sharedPicture: { readonly result: SharedResult };
  /** A call of an MCP tool. */
  readonly toolCall: {
    readonly tool: string;
    readonly transport: McpTransport;
    readonly succeeded: boolean;
    readonly seconds: number;
  };
  /** A change of the MCP sessions over SSE whose streams are open in this process. */
  readonly sessions: { readonly open: number };
  /** A run of a background job. */
  readonly job: {
    readonly queue: string;
    /**
     * Its `status` in the log, such as `done`, `delivered` or `retrying`; `skipped` if there was nothing left to do,
     * `error` for a fault and `interrupted` for a stop, after which it is tried again.
     */
    readonly result: string;
    readonly seconds: number;
  };
  /**
   * A picture that was fetched from a URL; `success`: a body, whatever it is, has arrived; `refused`: the address may
   * not be reached; `failure`: any other end, the caller's leaving included.
   */
  readonly fetch: { readonly result: "success" | "refused" | "failure" };
  /** Credits that a request has spent. */
  readonly credits: { readonly reason: "source" | "pattern"; readonly amount: number };
  /** A call of the object store; of a list, one page. */
  readonly objectStore: {
    readonly operation: "get" | "put" | "delete" | "list" | "ping";
    readonly result: "success" | "missing" | "failure" | "cancelled";
    readonly seconds: number;
  };
}

const channelOf = (kind: keyof Measurements) => channel(`orbifold.${kind}`);

/** Passes a measurement on to those who listen. */
export function measure<Kind extends keyof Measurements>(
  kind: Kind,
  measured: Measurements[Kind],
): void {
  channelOf(kind).publish(measured);
}

/** Calls `listener` with every measurement of a kind in this process; returns a function that ends it. */
export function listenTo<Kind extends keyof Measurements>(
  kind: Kind,
  listener: (measured: Measurements[Kind]) => void,
): () => void {
  const called = (message: unknown) => listener(message as Measurements[Kind]);
  channelOf(kind).subscribe(called);
  return () => {
    channelOf(kind).unsubscribe(called);
  };
}
