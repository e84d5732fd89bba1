/** Makes middleware of a route, in the order of its checks: who calls, what came, the handler. */
import type { Context, Middleware } from "koa";
import type { TSchema } from "typebox";
import { InvalidInput } from "../actions/errors.ts";
import { once } from "../actions/idempotency.ts";
import { type InputCheck, inputCheck } from "../actions/input.ts";
import type { Services } from "../actions/services.ts";
import { MalformedRequest, NoSuchPath } from "./errors.ts";
import { leavingSignal } from "./leaving.ts";
import type { Mcp } from "./mcp.ts";
import { authenticate } from "./middleware/authenticate.ts";
import { readBody } from "./middleware/body.ts";
import { limitByAddress } from "./middleware/rate-limit.ts";
import { refuseForeignOrigins } from "./middleware/refuse-foreign-origins.ts";
import { readQuery } from "./query.ts";
import type { Answer, Route } from "./route.ts";
import { sendAnswer } from "./send-answer.ts";

/** The middleware that serves one route. */
export function serveRoute(route: Route, services: Services, mcp: Mcp): Middleware[] {
  const { auth, addressLimit, body } = route;
  return [
    ...(route.isOwnOriginOnly ? [refuseForeignOrigins(services.publicUrl)] : []),
    ...(addressLimit ? [limitByAddress(services.db, addressLimit)] : []),
    ...(auth === "none" ? [] : [authenticate(services, mcp, route)]),
    ...(body ? [readBody(route)] : []),
    handle(route, services, mcp),
  ];
}

function handle(route: Route, services: Services, mcp: Mcp): Middleware {
  const checkParams = checkOf(route, route.params);
  const checkQuery = checkOf(route, route.query);
  const checkBody = checkOf(route, route.body);
  const checkForm = checkOf(route, route.form);
  return async (ctx) => {
    const key = route.isIdempotent ? readIdempotencyKey(ctx) : null;
    const query = route.query && checkQuery(readQuery(route.query, ctx.querystring));
    const body = (ctx.state.isForm ? checkForm : checkBody)(ctx.state.body);
    const params = readParams(ctx, route, checkParams);
    const { account, keyId, handoffId = null, patternVersion = null } = ctx.state;
    const { headers } = ctx;
    const header = (name: string) => ctx.get(name);
    const signal = leavingSignal(ctx);
    const caller = { account, keyId, handoffId, patternVersion };
    const call = { mcp, ...caller, params, query, body, header, headers, signal };
    const answer = (bound: Services): Promise<Answer> =>
      route.handler({ ...call, services: bound });
    // A guest reaches what was made in the handoff; so do the keys of one's own choice.
    const reached =
      handoffId === null ? services : { ...services, db: services.db.forGuest(handoffId) };
    if (key === null) return sendAnswer(ctx, await answer(reached));
    const request = [route.method, ctx.path, query, body, handoffId];
    const own = handoffId === null ? key : `${handoffId} ${key}`;
    const made = await once(reached, { accountId: account.id, key: own, request }, answer);
    if (made.isReplayed) ctx.set("Idempotency-Replayed", "true");
    sendAnswer(ctx, made.answer);
  };
}

/** https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ */
function readIdempotencyKey(ctx: Context): string | null {
  const key = ctx.get("Idempotency-Key");
  if (key === "" && !("idempotency-key" in ctx.headers)) return null;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new MalformedRequest(
    "Idempotency-Key: expected 1 to 255 visible ASCII characters, such as a UUID",
  );
}

function checkOf(route: Route, schema: TSchema | undefined): InputCheck<TSchema> {
  // What a change leaves out stays as it is.
  return schema
    ? inputCheck(schema, { fillDefaults: route.method !== "PATCH" })
    : () => undefined as never;
}

/** The path's parameters. A path with others than the schema takes leads nowhere. */
function readParams(ctx: Context, { params }: Route, check: InputCheck<TSchema>): unknown {
  if (!params) return undefined;
  try {
    return check(readQuery(params, new URLSearchParams(ctx.params).toString()));
  } catch (error) {
    if (error instanceof InvalidInput) throw new NoSuchPath(ctx.path, { cause: error });
    throw error;
  }
}
