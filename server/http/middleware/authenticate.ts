import type { Context, Middleware } from "koa";
import { requireActive, requireProgrammaticPlan } from "../../actions/accounts.ts";
import {
  authenticateAndCountKey,
  authenticateApiKey,
  requireScope,
  type Scope,
} from "../../actions/api-keys.ts";
import { KeyRevoked, SessionNotFound } from "../../actions/errors.ts";
import type { McpPort } from "../../actions/mcp-port.ts";
import { requireOperator } from "../../actions/operator.ts";
import { countRequest, type LimitUse, type RateLimitSubject } from "../../actions/rate-limits.ts";
import type { Account, Services } from "../../actions/services.ts";
import { isGuestToken } from "../../actions/tokens.ts";
import { GuestRefused, MalformedRequest, Unauthorized } from "../errors.ts";
import type { Route } from "../route.ts";
import { applyLimit } from "./rate-limit.ts";

interface Caller {
  readonly account: Account;
  readonly keyId?: number;
  /** What the key may do; null: everything. */
  readonly scopes?: readonly string[] | null;
  /** The use of its rate limit where it is already counted, else the caller to count. */
  readonly use: LimitUse | RateLimitSubject;
  /** Version of the pattern in the path, where it was read with the key. */
  readonly patternVersion?: number | null;
  /** Handoff of a guest session. */
  readonly handoffId?: number;
}

/**
 * Authenticates the caller; 401 takes precedence over 402, 403 and 429. A key is read from
 * `X-API-Key` or a bearer token, a JWT from a bearer token, a session from the query; a session's
 * own key may be sent, too.
 */
export function authenticate(
  { db, tokens, guests }: Services,
  mcp: McpPort,
  route: Route,
): Middleware {
  return async (ctx, next) => {
    ctx.state.retrySeconds = route.retrySeconds;
    const caller = await authenticateCaller(ctx);
    const {
      account,
      keyId = null,
      scopes = null,
      use,
      handoffId = null,
      patternVersion = null,
    } = caller;
    ctx.state.account = account;
    ctx.state.accountId = account.id;
    ctx.state.handoffId = handoffId;
    ctx.state.keyId = keyId;
    ctx.state.patternVersion = patternVersion;
    requireActive(account);
    const isGuest = handoffId !== null;
    if (isGuest && route.auth !== "guest" && !route.allowsGuests) throw new GuestRefused();
    if (keyId !== null || isGuest || route.programmatic) requireProgrammaticPlan(account);
    if (route.isForOperators) requireOperator(account);
    requireScope(scopes, scopeOf(route));
    const counted = "kind" in use ? await countRequest(db, use) : use;
    applyLimit(ctx, "requests", counted);
    return next();
  };

  async function authenticateCaller(ctx: Context): Promise<Caller> {
    const bearer = bearerOf(ctx);
    const key = ctx.get("X-API-Key") || (bearer.startsWith("pf_") ? bearer : "");
    if (route.auth === "session")
      return authenticateSession(String(ctx.query.session_id ?? ""), key);
    if (route.auth === "key" && key === "") throw wrongCredentials(route, bearer);
    const takesKey = route.auth !== "jwt" && route.auth !== "guest";
    return takesKey && key !== ""
      ? authenticateKey(key, ctx)
      : authenticateUser(bearer, key !== "");
  }

  async function authenticateSession(id: string, key: string): Promise<Caller> {
    if (id === "") throw new MalformedRequest("expected ?session_id=… as sent on the stream");
    const { keyId } = await mcp.find(id);
    const account = await db.apiKeys.holder(keyId);
    if (!account) throw new KeyRevoked();
    // Sessions of other accounts do not exist for this one.
    const beside = key === "" ? null : requireKey(await authenticateApiKey(db, key));
    if (beside && beside.account.id !== account.id) throw new SessionNotFound();
    return { account, keyId, use: { kind: "key", id: keyId, account } };
  }

  async function authenticateKey(secret: string, ctx: Context): Promise<Caller> {
    return requireKey(
      await authenticateAndCountKey(db, secret, route.readsPatternVersion ? patternOf(ctx) : null),
    );
  }

  async function authenticateUser(token: string, hasKey: boolean): Promise<Caller> {
    if (hasKey && (token === "" || token.startsWith("pf_"))) throw wrongCredentials(route, "pf_");
    if (token === "") throw wrongCredentials(route, token);
    if (isGuestToken(token)) return authenticateGuest(token);
    if (route.auth === "guest") throw wrongCredentials(route, token);
    const verified = await tokens.verify(token);
    const account = verified && (await db.accounts.byToken(verified.accountId, verified.version));
    if (!account) throw new Unauthorized("the token is not valid, revoked or expired", true);
    return { account, use: { kind: "token", token } };
  }

  async function authenticateGuest(token: string): Promise<Caller> {
    const guest = await guests.verify(token);
    const account = guest && (await db.accounts.byId(guest.accountId));
    if (!account) throw new Unauthorized("the session is not valid or has expired", true);
    return { account, use: { kind: "token", token }, handoffId: guest.handoffId };
  }
}

/** The scope that a key needs for a route. */
function scopeOf({ tag, method, isReadOnly }: Route): Scope {
  if (tag === "MCP") return "mcp";
  if (tag === "Shops") return "shops";
  if (tag === "Account" || tag === "Webhooks") return "account";
  const reads = method === "GET" || method === "HEAD" || tag === "Renders" || tag === "Validation";
  return isReadOnly || reads ? "read" : "write";
}

/** Returns the caller of a key. Throws Unauthorized. */
function requireKey<Found>(found: Found | null): Found {
  if (!found) throw new Unauthorized("the API key is unknown, mistyped or revoked", true);
  return found;
}

/** Returns the id in the path; null if it is invalid, which the check of the path reports. */
function patternOf(ctx: Context): number | null {
  const id = Number(ctx.params.id);
  return Number.isSafeInteger(id) ? id : null;
}

const USER = "Authorization: Bearer <user session token>";
const KEY = "X-API-Key: <key> or Authorization: Bearer <key>";

/** Expected credentials of each kind of route. */
const EXPECTED: Readonly<Record<Route["auth"], string>> = {
  any: `${KEY} or ${USER}`,
  key: KEY,
  session: KEY,
  jwt: USER,
  guest: "Authorization: Bearer <token of a guest session, see POST /embed/sessions>",
  none: "no credentials",
};

/**
 * Returns the error for missing credentials, or for those of another kind than the route accepts.
 */
function wrongCredentials({ auth }: Route, presented: string): Unauthorized {
  const message = `expected ${EXPECTED[auth]}, got ${kindOf(presented)}`;
  return new Unauthorized(message, presented !== "");
}

function kindOf(presented: string): string {
  if (presented === "") return "no credentials";
  if (presented.startsWith("pf_")) return "an API key";
  if (isGuestToken(presented)) return "the token of a guest session";
  return presented.startsWith("ey") ? "a user session token" : "an unknown token";
}

/** Returns the token of `Authorization: Bearer <token>`. The scheme is case-insensitive. */
function bearerOf(ctx: Context): string {
  return /^bearer +(\S+) *$/i.exec(ctx.get("Authorization"))?.[1] ?? "";
}
