import type { Context, Middleware } from "koa";
import { requireActive, requireProgrammaticPlan } from "../../actions/accounts.ts";
import { authenticateApiKey } from "../../actions/api-keys.ts";
import { type Counted, countRequest } from "../../actions/rate-limits.ts";
import type { Account, Services } from "../../actions/services.ts";
import { Unauthorized } from "../errors.ts";
import type { Route } from "../route.ts";
import { applyLimit } from "./rate-limit.ts";

interface Caller {
  readonly account: Account;
  readonly counted: Counted;
}

/**
 * Finds the account that calls and turns it away where it may not: 401 before 402, 403 and 429.
 * A key comes as `X-API-Key` or as a bearer token, a person's JWT as a bearer token.
 */
export function authenticate({ db, tokens }: Services, route: Route): Middleware {
  return async (ctx, next) => {
    const bearer = bearerOf(ctx);
    const key = ctx.get("X-API-Key") || (bearer.startsWith("pf_") ? bearer : "");
    const byKey = route.auth !== "jwt" && key !== "";
    const { account, counted } = byKey ? await holderOf(key) : await personOf(bearer, key !== "");
    ctx.state.account = account;
    ctx.state.accountId = account.id;
    requireActive(account);
    if (byKey || route.programmatic) requireProgrammaticPlan(account);
    applyLimit(ctx, "requests", await countRequest(db, counted));
    return next();
  };

  async function holderOf(secret: string): Promise<Caller> {
    const found = await authenticateApiKey(db, secret);
    if (!found) throw new Unauthorized("the API key is unknown, mistyped or revoked", true);
    const { account, key } = found;
    return { account, counted: { kind: "key", id: key.id, account } };
  }

  async function personOf(token: string, hasKey: boolean): Promise<Caller> {
    if (hasKey && (token === "" || token.startsWith("pf_"))) {
      throw new Unauthorized("expected a person's token (JWT) here, got an API key", true);
    }
    if (token === "") throw new Unauthorized(missing(route), false);
    const verified = await tokens.verify(token);
    const account = verified && (await db.accounts.byId(verified.accountId));
    if (!account) throw new Unauthorized("the token is not valid or has expired", true);
    return { account, counted: { kind: "token", token } };
  }
}

function missing({ auth }: Route): string {
  const person = "Authorization: Bearer <JWT>";
  return auth === "jwt"
    ? `expected ${person}`
    : `expected X-API-Key: <key>, Authorization: Bearer <key> or ${person}`;
}

/** The token of `Authorization: Bearer <token>`, or nothing. The scheme's case does not matter. */
function bearerOf(ctx: Context): string {
  return /^bearer +(\S+) *$/i.exec(ctx.get("Authorization"))?.[1] ?? "";
}
