/** Turns a route into middleware: authentication, validation, handler. */
import type { Middleware } from "koa";
import { runIdempotently } from "../actions/idempotency.ts";
import { withAccountEngine } from "../actions/in-flight.ts";
import type { McpPort } from "../actions/mcp-port.ts";
import { retryUnreadable } from "../actions/renders.ts";
import type { Services } from "../actions/services.ts";
import { clientAbortSignal, isLocalRequest, networkOf } from "./client.ts";
import { authenticate } from "./middleware/authenticate.ts";
import { readBody } from "./middleware/body.ts";
import { limitByAddress } from "./middleware/rate-limit.ts";
import { refuseForeignOrigins } from "./middleware/refuse-foreign-origins.ts";
import { respondToRefusedCalls } from "./middleware/refused-calls.ts";
import { requestInput } from "./request-input.ts";
import type { Route, RouteResponse } from "./route.ts";
import { sendResponse } from "./send-response.ts";

/** The middleware that serves one route. */
export function serveRoute(route: Route, services: Services, mcp: McpPort): Middleware[] {
  const { auth, addressLimit, body } = route;
  const read = readBody(route, services);
  return [
    ...(auth === "session" || route.isJsonRpc ? [respondToRefusedCalls(route, services, mcp)] : []),
    ...(route.isSameOriginOnly ? [refuseForeignOrigins(services.publicUrl)] : []),
    ...(addressLimit ? [limitByAddress(services.db, addressLimit)] : []),
    ...(auth === "none" ? [] : [authenticate(services, mcp, route)]),
    ...(body ? [read] : []),
    handle(route, services, mcp),
  ];
}

function handle(route: Route, services: Services, mcp: McpPort): Middleware {
  const readInput = requestInput(route);
  return async (ctx) => {
    const { idempotencyKey: key, ...input } = readInput(ctx);
    // Actions report issues without the part of the request they are in.
    ctx.state.inputPlace = route.body ? "body" : "query";
    const { account, keyId, handoffId = null, patternVersion = null } = ctx.state;
    const { headers } = ctx;
    const header = (name: string) => ctx.get(name);
    const signal = clientAbortSignal(ctx);
    const caller = { account, keyId, handoffId, patternVersion };
    const isLocal = isLocalRequest(ctx);
    const network = networkOf(ctx.ip);
    const call = { mcp, ...caller, ...input, network, isLocal, header, headers, signal };
    const respond = (bound: Services): Promise<RouteResponse> =>
      route.handler({
        ...call,
        services: account ? withAccountEngine(bound, account, handoffId) : bound,
      });
    // A guest session reaches only what was created in it, and its idempotency keys are its own.
    const reached =
      handoffId === null ? services : { ...services, db: services.db.forGuest(handoffId) };
    if (key === null) {
      return retryUnreadable(async () => sendResponse(ctx, await respond(reached)));
    }
    // The lines of a long body are not hashed again.
    const body = ctx.state.bodySha256 ?? input.body;
    const request = [route.method, ctx.path, input.query, body, handoffId];
    const own = handoffId === null ? key : `${handoffId} ${key}`;
    const made = await runIdempotently(
      reached,
      { accountId: account.id, key: own, request },
      respond,
    );
    if (made.isReplayed) ctx.set("Idempotency-Replayed", "true");
    await sendResponse(ctx, made.answer);
  };
}
