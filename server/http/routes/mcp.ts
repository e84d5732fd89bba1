import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import Type from "typebox";
import { strict } from "../../actions/fields.ts";
import { MESSAGE_BYTES } from "../../actions/in-flight.ts";
import { basePathOf } from "../base-path.ts";
import { Unavailable } from "../errors.ts";
import { MCP_ENDPOINT } from "../../actions/mcp-port.ts";
import { ANSWERED, EXECUTED, INITIALIZE, MANIFEST } from "../openapi/mcp-examples.ts";
import { type Answer, route } from "../route.ts";

const tag = "MCP";
const path = MCP_ENDPOINT;

/** Of MCP endpoints, as the contract says. */
const retrySeconds = 60;

/** Whether it is one, the transport says: all that is none gets the same answer. */
const Message = Type.Unsafe<unknown>({
  description: "One JSON-RPC 2.0 message.",
  examples: [{ jsonrpc: "2.0", id: 1, method: "tools/list" }],
});

const AnyObject = Type.Object({}, { additionalProperties: true });

const EVENT_STREAM = "text/event-stream";

/** Of streams: no proxy is to collect or change them. */
const streamHeaders = {
  "Content-Type": EVENT_STREAM,
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};

/** A request as the protocol's library takes it; its body is read already. */
function webRequest(method: string, headers: IncomingHttpHeaders): Request {
  const list = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return new Request(`http://localhost${path}`, { method, headers: list });
}

function answerOf({ status, headers, body }: Response): Answer {
  return {
    status,
    headers: Object.fromEntries(headers),
    // Unlike an iteration it cancels the stream while a read is waiting.
    ...(body && { stream: Readable.fromWeb(body as WebStream) }),
  };
}

/** MCP: a server for agents, over HTTP. */
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
      "The first event, `endpoint`, says where to send messages; answers come as events `message`.",
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
    description: "The answer comes on the session's stream. It needs no key: the session has one.",
    auth: "session",
    retrySeconds,
    query: Type.Object(
      { session_id: Type.String({ description: "As the event `endpoint` told it." }) },
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
      "The old way of calling tools. Use `POST /api/v1/mcp` instead. Costs what the tool costs.",
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
        description: "What the tool answered; a picture in base64.",
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
      "MCP's newer transport, without sessions: any node answers any request. A call ends when its client leaves, or with `notifications/cancelled` and the same key. There is no stream to listen to (GET is 405) and no session to end (DELETE is 405).",
    auth: "key",
    retrySeconds,
    isOwnOriginOnly: true,
    isJsonRpc: true,
    body: Message,
    examples: { "The first message": INITIALIZE },
    maximumBytes: MESSAGE_BYTES,
    picturePath: ["params", "arguments", "data"],
    responses: {
      200: {
        description: "The answer, and notifications before it, as events.",
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
      return answerOf(await mcp.streamable({ request, body, account, keyId, client, signal }));
    },
  }),
];
