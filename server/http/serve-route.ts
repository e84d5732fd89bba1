/** Makes middleware of a route, in the order of its checks: who calls, what came, the handler. */
import type { Context, Middleware } from "koa";
import type { TSchema } from "typebox";
import { InvalidInput } from "../actions/errors.ts";
import { type InputCheck, inputCheck } from "../actions/input.ts";
import type { Services } from "../actions/services.ts";
import { NoSuchPath } from "./errors.ts";
import { leavingSignal } from "./leaving.ts";
import { authenticate, type Doorkeeper } from "./middleware/authenticate.ts";
import { readBody } from "./middleware/body.ts";
import { readQuery } from "./query.ts";
import type { Route } from "./route.ts";
import { sendAnswer } from "./send-answer.ts";

/** The middleware that serves one route. */
export function serveRoute(route: Route, services: Services, doorkeeper: Doorkeeper): Middleware[] {
  return [
    ...(route.auth === "none" ? [] : [authenticate(doorkeeper, route)]),
    ...(route.body ? [readBody(route)] : []),
    handle(route, services),
  ];
}

function handle(route: Route, services: Services): Middleware {
  const checkParams = checkOf(route, route.params);
  const checkQuery = checkOf(route, route.query);
  const checkBody = checkOf(route, route.body);
  const checkForm = checkOf(route, route.form);
  return async (ctx) => {
    const query = route.query && checkQuery(readQuery(route.query, ctx.querystring));
    const body = (ctx.state.isForm ? checkForm : checkBody)(ctx.state.body);
    const params = readParams(ctx, route, checkParams);
    const answer = await route.handler({
      services,
      account: ctx.state.account,
      params,
      query,
      body,
      header: (name) => ctx.get(name),
      signal: leavingSignal(ctx),
    });
    sendAnswer(ctx, answer);
  };
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
