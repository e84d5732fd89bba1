/** MCP over Streamable HTTP without a client library. */
import type { Test } from "tap";
import { type Caller, type TestServer, testServer } from "../helpers/server.ts";
import { blockRenders } from "./blocked-renders.ts";
import type { Message } from "./sse-session.ts";

export const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const ACCEPT = "application/json, text/event-stream";

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The messages in the body, whether it is JSON or events. */
  readonly messages: readonly Message[];
}

/** Makes a request to the endpoint; `body` is sent as JSON. */
export async function send(
  { url, key }: Pick<TestServer, "url"> & Pick<Caller, "key">,
  { method = "POST", body, headers = {}, signal }: Sent,
): Promise<Reply> {
  const response = await fetch(`${url}/api/v1/mcp`, {
    method,
    headers: {
      "X-API-Key": key,
      Accept: ACCEPT,
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
    ...(signal && { signal }),
  });
  const text = await response.text();
  const isStream = response.headers.get("Content-Type") === "text/event-stream";
  const parts = isStream ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data) : [text];
  const messages = parts.flatMap((part) => (part ? [JSON.parse(part)] : []));
  return { status: response.status, headers: response.headers, text, messages };
}

interface Sent {
  readonly method?: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A call of a tool that renders; its id may be of any kind. */
export const render = (id: string | number, pattern_id: number, size = 64) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "render_pattern_tile", arguments: { pattern_id, size } },
});

/** A server with a pattern, whose renders wait for a release. */
export async function held(t: Test) {
  const renders = await blockRenders();
  const server = await testServer(t, { engine: renders.engine });
  const pattern_id = await server.makePattern();
  return { renders, server, pattern_id };
}
