/** One MCP server for one session: the protocol's methods over the tools, whatever transport brings them. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { AnyObjectSchema } from "@modelcontextprotocol/sdk/server/zod-compat.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  type ProgressToken,
  ReadResourceRequestSchema,
  RequestSchema,
  type ServerNotification,
  type ServerRequest,
  type ServerResult,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { NotFound } from "../actions/failures.ts";
import type { Log } from "../actions/log.ts";
import type { Account, Services } from "../actions/services.ts";
import { KeyRevoked } from "../actions/session-errors.ts";
import { callTool } from "./call-tool.ts";
import type { Caller } from "./caller.ts";
import { explainFailure } from "./failures.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { LISTED_TOOLS } from "./listings.ts";
import { SERVER_INFO } from "./manifest.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { listResources, RESOURCE_TEMPLATES, readResource } from "./resources.ts";
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  NOT_ADMITTED,
  RESOURCE_NOT_FOUND,
  RpcError,
} from "./rpc-error.ts";

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Clients give up on a silent call after about a minute; this often they hear that it goes on. */
const PROGRESS_MS = 5000;

/** Nothing of ours asks for structured input; without this every session would make its own. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

export interface McpServerParts {
  readonly services: Services;
  readonly caller: Caller;
  readonly log: Log;
}

/** A server for one session of a caller, not connected yet. */
export function createMcpServer({ services, caller, log }: McpServerParts): Server {
  const server = new Server(SERVER_INFO, {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions: INSTRUCTIONS,
    jsonSchemaValidator,
  });

  /** Runs what needs an account, and turns what it throws into the protocol's errors. */
  const admitted = async <Result>(
    extra: Extra,
    work: (account: Account, signal: AbortSignal) => Promise<Result>,
  ) => {
    const signal = withoutReason(extra.signal);
    try {
      const account = await caller.admit().catch((error) => {
        throw notAdmitted(error);
      });
      return await work(account, signal);
    } catch (error) {
      // The answer to what was cancelled is heard by nobody.
      if (signal.aborted) throw error;
      throw rpcErrorOf(error, log);
    }
  };

  answer(server, ListToolsRequestSchema, () => ({ tools: [...LISTED_TOOLS] }));
  answer(server, CallToolRequestSchema, ({ params }, extra) =>
    admitted(extra, (account, signal) =>
      withProgress(extra, () => callTool(params, { services, account, signal, log })),
    ),
  );
  answer(server, ListResourcesRequestSchema, ({ params }, extra) =>
    admitted(extra, (account) => listResources(services, account, params?.cursor)),
  );
  answer(server, ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [...RESOURCE_TEMPLATES],
  }));
  answer(server, ReadResourceRequestSchema, ({ params }, extra) =>
    admitted(extra, (account, signal) => readResource(services, account, params.uri, signal)),
  );
  answer(server, ListPromptsRequestSchema, () => ({ prompts: listPrompts() }));
  answer(server, GetPromptRequestSchema, async ({ params }) => {
    try {
      return getPrompt(params.name, params.arguments ?? {});
    } catch (error) {
      throw rpcErrorOf(error, log);
    }
  });
  return server;
}

/** A method with the parameters that it takes, as the SDK gives them. */
interface Kind<Request> {
  extend(shape: { params: typeof anyParams }): AnyObjectSchema;
  safeParse(value: unknown): { readonly data?: Request; readonly error?: Complaints };
}

interface Complaints {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

const anyParams = RequestSchema.shape.params;

/** Answers a method. Wrong parameters are the caller's fault, where the SDK would call them ours. */
function answer<Request>(
  server: Server,
  kind: Kind<Request>,
  handler: (request: Request, extra: Extra) => ServerResult | Promise<ServerResult>,
): void {
  server.setRequestHandler(kind.extend({ params: anyParams }), (request, extra) => {
    const { data, error } = kind.safeParse(request);
    if (data !== undefined) return handler(data, extra);
    const complaints = error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new RpcError(complaints?.join("; ") ?? "", { code: INVALID_PARAMS });
  });
}

/** A signal that aborts when this one does. Its reason is the client's text, and not to be thrown. */
function withoutReason(cancelled: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort();
  if (cancelled.aborted) abort();
  cancelled.addEventListener("abort", abort, { once: true });
  return controller.signal;
}

/** Why a caller is not admitted, in words; a fault of ours stays what it is. */
function notAdmitted(error: unknown): unknown {
  if (error instanceof KeyRevoked) return new RpcError(error.message, { code: NOT_ADMITTED });
  const explained = explainFailure(error);
  return explained === null ? error : new RpcError(explained, { code: NOT_ADMITTED, cause: error });
}

/** Handlers' errors leave as they are, so none may leave that says more than it should. */
function rpcErrorOf(error: unknown, log: Log): RpcError {
  if (error instanceof RpcError) return error;
  const explained = explainFailure(error);
  if (explained === null) {
    log({ mcp: "request", error });
    return new RpcError("something went wrong here, and is in our log", { code: INTERNAL_ERROR });
  }
  const code = error instanceof NotFound ? RESOURCE_NOT_FOUND : INVALID_PARAMS;
  return new RpcError(explained, { code });
}

/** Tells a caller that asked for it, again and again, that the work goes on. */
async function withProgress<Result>(
  { _meta, sendNotification }: Extra,
  work: () => Promise<Result>,
): Promise<Result> {
  const progressToken: ProgressToken | undefined = _meta?.progressToken;
  if (progressToken === undefined) return work();
  let progress = 0;
  const tell = () => {
    const params = { progressToken, progress: progress++, message: "working" };
    // A client that has gone is noticed elsewhere.
    sendNotification({ method: "notifications/progress", params }).catch(() => undefined);
  };
  tell();
  const timer = setInterval(tell, PROGRESS_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
