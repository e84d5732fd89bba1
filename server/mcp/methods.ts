/** MCP methods for tools, resources and prompts, with their parameters. */
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  LATEST_PROTOCOL_VERSION,
  type ServerNotification,
  type ServerRequest,
  type ServerResult,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import { context } from "@opentelemetry/api";
import Type, { type Static, type TObject, type TProperties } from "typebox";
import { withAccountEngine } from "../actions/in-flight.ts";
import { type InputCheck, inputCheck } from "../actions/input.ts";
import type { Log } from "../actions/log.ts";
import type { McpTransport } from "../actions/measurements.ts";
import type { Account, Services } from "../actions/services.ts";
import { contextOf } from "../actions/spans.ts";
import { callTool } from "./call-tool.ts";
import type { Caller } from "./caller.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { LISTED_TOOLS } from "./listings.ts";
import { SERVER_INFO } from "./manifest.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { listResources, RESOURCE_TEMPLATES, readResource } from "./resources.ts";

export const CAPABILITIES = { tools: {}, resources: {}, prompts: {} };

/** Clients time out after about a minute without progress. */
const PROGRESS_MS = 5000;

/** Context of a method. */
export interface MethodContext {
  readonly services: Services;
  readonly transport: McpTransport;
  readonly caller: Caller;
  readonly log: Log;
  readonly extra: RequestHandlerExtra<ServerRequest, ServerNotification>;
  /** Aborts when the call is cancelled or its client goes away. */
  readonly signal: AbortSignal;
}

/** Context of a method that needs an account. */
interface AuthenticatedContext extends MethodContext {
  readonly account: Account;
}

interface Method {
  /** Validates parameters. Throws InvalidInput. */
  readonly check: InputCheck<TObject>;
  run(params: Static<TObject>, context: MethodContext): ServerResult | Promise<ServerResult>;
}

/** Defines a method that needs no account. It ignores unknown parameters. */
function open<Properties extends TProperties>(
  params: Properties,
  run: (params: Static<TObject<Properties>>, context: MethodContext) => ServerResult,
): Method {
  const check = inputCheck(Type.Object(params), { fillDefaults: false });
  return { check, run } as Method;
}

/** Defines a method that first authenticates the caller. */
function authenticated<Properties extends TProperties>(
  params: Properties,
  run: (
    params: Static<TObject<Properties>>,
    context: AuthenticatedContext,
  ) => ServerResult | Promise<ServerResult>,
): Method {
  const check = inputCheck(Type.Object(params), { fillDefaults: false });
  const authenticateAndRun = async (
    checked: Static<TObject<Properties>>,
    context: MethodContext,
  ): Promise<ServerResult> => {
    const account = await context.caller.authenticate();
    return run(checked, {
      ...context,
      services: withAccountEngine(context.services, account),
      account,
    });
  };
  return { check, run: authenticateAndRun } as Method;
}

const page = { cursor: Type.Optional(Type.String()) };

const METHODS: Readonly<Record<string, Method>> = {
  initialize: open(
    {
      protocolVersion: Type.String(),
      capabilities: Type.Object({}),
      clientInfo: Type.Object({ name: Type.String(), version: Type.String() }),
    },
    ({ protocolVersion }) => ({
      protocolVersion: SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)
        ? protocolVersion
        : LATEST_PROTOCOL_VERSION,
      capabilities: CAPABILITIES,
      serverInfo: SERVER_INFO,
      instructions: INSTRUCTIONS,
    }),
  ),

  "tools/list": open(page, () => ({ tools: [...LISTED_TOOLS] })),

  "tools/call": authenticated(
    { name: Type.String(), arguments: Type.Optional(Type.Object({})) },
    (params, call) =>
      // Clients pass their trace on in `_meta`, which reaches further than the headers of a session.
      withTrace(call.extra, () => withProgress(call.extra, () => callTool(params, call))),
  ),

  "resources/list": authenticated(page, ({ cursor }, { services, account }) =>
    listResources(services, account, cursor),
  ),

  "resources/templates/list": open(page, () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] })),

  "resources/read": authenticated(
    { uri: Type.String() },
    ({ uri }, { services, account, signal }) => readResource(services, account, uri, signal),
  ),

  "prompts/list": open(page, () => ({ prompts: listPrompts() })),

  "prompts/get": open(
    {
      name: Type.String(),
      arguments: Type.Optional(Type.Record(Type.String(), Type.String())),
    },
    ({ name, arguments: given = {} }) => getPrompt(name, given),
  ),
};

/** Returns the method with this name; undefined where there is none. */
export function findMethod(name: string): Method | undefined {
  return Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
}

/** Runs `work` within the span that the caller's `_meta.traceparent` names, if it does. */
const withTrace = <Result>({ _meta = {} }: MethodContext["extra"], work: () => Result): Result =>
  context.with(contextOf(_meta), work);

/** Sends progress notifications to a caller that requested them until the work ends. */
async function withProgress<Result>(
  { _meta, sendNotification }: MethodContext["extra"],
  work: () => Promise<Result>,
): Promise<Result> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return work();
  let progress = 0;
  const sendProgress = () => {
    const params = { progressToken, progress: progress++, message: "working" };
    // A disconnect is handled elsewhere.
    sendNotification({ method: "notifications/progress", params }).catch(() => undefined);
  };
  sendProgress();
  const timer = setInterval(sendProgress, PROGRESS_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
