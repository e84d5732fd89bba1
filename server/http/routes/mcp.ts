import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import Type from "typebox";
import { strict } from "../../actions/fields.ts";
import { MESSAGE_BYTES } from "../../actions/in-flight.ts";
import { MCP_ENDPOINT } from "../../actions/mcp-port.ts";
import { basePathOf } from "../base-path.ts";
import { Unavailable } from "../errors.ts";
import { ANSWERED, EXECUTED, INITIALIZE, MANIFEST } from "../openapi/mcp-examples.ts";
import { type RouteResponse, route } from "../route.ts";

const tag = "MCP";
const path = MCP_ENDPOINT;

/** `Retry-After` of MCP endpoints. */
const retrySeconds = 60;

/** Validated by the transport, which reports every malformed message alike. */
const Message = Type.Unsafe<unknown>({
  description: "One JSON-RPC 2.0 message.",
  examples: [{ jsonrpc: "2.0", id: 1, method: "tools/list" }],
});

const AnyObject = Type.Object({}, { additionalProperties: true });

const EVENT_STREAM = "text/event-stream";

/** Headers that keep proxies from buffering or transforming streams. */
const streamHeaders = {
  "Content-Type": EVENT_STREAM,
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};

/** The request in the form that the MCP SDK takes; its body has been read. */
function webRequest(method: string, headers: IncomingHttpHeaders): Request {
  const list = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new Request(`http://localhost${path}`, { method, headers: list });
}

function routeResponseOf({ status, headers, body }: Response): RouteResponse {
  return {
    status,
    headers: Object.fromEntries(headers),
    // Unlike iteration, it cancels the stream while a read is pending.
    ...(body && { stream: Readable.fromWeb(body as WebStream) }),
  };
}

/** MCP over HTTP. */
export const mcpRoutes = [
  route({
    method: "GET",
    path: `${path}/info`,
    tag,
    operationId: "getMcpInfo",
    summary: "Get the MCP server's manifest",
    auth: "key",
    retrySeconds,
    responses: {
      200: {
        description: "The manifest.",
        example: MANIFEST,
        schema: Type.Object({
          name: Type.String(),
          version: Type.String(),
          description: Type.String(),
          auth: Type.Object({
            type: Type.String(),
            header: Type.String(),
            format: Type.String(),
            create_via: Type.String(),
          }),
          transports: Type.Object({
            sse: AnyObject,
            stdio: AnyObject,
            rest_legacy: AnyObject,
          }),
          rate_limit_per_minute: Type.Integer(),
          tools: Type.Array(Type.String()),
          claude_desktop_example: AnyObject,
        }),
      },
    },
    cost: 0,
    async handler({ mcp, account }) {
      return { status: 200, json: mcp.manifest(account) };
    },
  }),
  route({
    method: "GET",
    path: `${path}/sse`,
    tag,
    operationId: "openMcpSession",
    summary: "Open an MCP session (HTTP+SSE, 2024-11-05)",
    description:
      "The first event, `endpoint`, contains the URL to send messages to; responses arrive as events `message`.",
    auth: "key",
    retrySeconds,
    responses: {
      200: {
        description: "The session's stream, until either side closes it.",
        mediaTypes: [EVENT_STREAM],
      },
    },
    cost: 0,
    async handler({ services, mcp, account, keyId }) {
      if (services.readiness.isStopping) throw new Unavailable("the service is stopping");
      const messages = `${basePathOf(services.publicUrl)}${path}/messages`;
      const stream = await mcp.open({ keyId, account }, messages);
      return { status: 200, headers: streamHeaders, stream };
    },
  }),
  route({
    method: "POST",
    path: `${path}/messages`,
    tag,
    operationId: "postMcpMessage",
    summary: "Send a message to an MCP session",
    description:
      "The response arrives on the session's stream. No key is needed: the session has one.",
    auth: "session",
    retrySeconds,
    query: Type.Object(
      { session_id: Type.String({ description: "From the event `endpoint`." }) },
      strict,
    ),
    body: Message,
    maximumBytes: MESSAGE_BYTES,
    picturePath: ["params", "arguments", "data"],
    responses: { 202: { description: "Accepted." } },
    problems: ["malformed_request", "overloaded"],
    cost: 0,
    async handler({ mcp, query, body }) {
      await mcp.post(query.session_id, body);
      return { status: 202 };
    },
  }),
  route({
    method: "POST",
    path: `${path}/execute`,
    tag,
    operationId: "executeMcpTool",
    summary: "Call one MCP tool (deprecated)",
    description:
      "Calls a tool without a session. Use `POST /api/v1/mcp` instead. Costs what the tool costs.",
    auth: "key",
    retrySeconds,
    isDeprecated: true,
    isIdempotent: true,
    body: Type.Object(
      {
        tool: Type.String({ examples: ["list_groups"] }),
        arguments: Type.Unsafe<object>({ type: "object", default: {}, examples: [{}] }),
      },
      strict,
    ),
    maximumBytes: MESSAGE_BYTES,
    picturePath: ["arguments", "data"],
    responses: {
      200: {
        description: "The tool's result; an image in base64.",
        example: EXECUTED,
        schema: Type.Object({ tool: Type.String(), result: AnyObject }, strict),
      },
    },
    problems: ["not_found", "conflict", "credits_exhausted", "overloaded", "render_timeout"],
    cost: 0,
    async handler({ services, mcp, account, body, signal }) {
      return {
        status: 200,
        headers: {
          // RFC 9745: the first of January 2026.
          Deprecation: "@1767225600",
          Link: `<${basePathOf(services.publicUrl)}${path}/info>; rel="successor-version"`,
        },
        json: { tool: body.tool, result: await mcp.execute(services, account, body, signal) },
      };
    },
  }),
  route({
    method: "POST",
    path,
    tag,
    operationId: "postMcp",
    summary: "Send a message over Streamable HTTP",
    description:
      "MCP's current transport, without sessions: any node can respond to any request. A call ends when its client disconnects, or with `notifications/cancelled` and the same key. There is no stream to listen to (GET returns 405) and no session to end (DELETE returns 405).",
    auth: "key",
    retrySeconds,
    isSameOriginOnly: true,
    isJsonRpc: true,
    body: Message,
    examples: { "The first message": INITIALIZE },
    maximumBytes: MESSAGE_BYTES,
    picturePath: ["params", "arguments", "data"],
    responses: {
      200: {
        description: "The response, preceded by notifications, as events.",
        schema: Type.Unsafe<unknown>({ type: "object", description: "JSON-RPC 2.0." }),
        example: ANSWERED,
        mediaTypes: [EVENT_STREAM],
      },
      202: { description: "Accepted; there is no response message." },
    },
    cost: 0,
    async handler({ mcp, account, keyId, body, header, headers, network, signal }) {
      const request = webRequest("POST", headers);
      const client = `${network} ${header("user-agent")}`;
      return routeResponseOf(
        await mcp.streamable({ request, body, account, keyId, client, signal }),
      );
    },
  }),
];
