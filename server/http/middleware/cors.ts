import type { Context, Middleware } from "koa";
import { isReturnOrigin } from "../../actions/origins.ts";
import { ForeignOrigin } from "../errors.ts";
import type { Readers } from "../route.ts";

/** A route that pages of other origins may call. */
export interface CrossOriginRoute {
  readonly methods: readonly string[];
  readonly readers: Readers;
  matches(path: string): boolean;
}

export interface CorsOptions {
  readonly routes: readonly CrossOriginRoute[];
  /** Headers of responses that scripts may read beside those that they always may. */
  readonly exposedHeaders: readonly string[];
  readonly editorUrl: string;
  /** Whether any account lists the origin among its `return_origins`. */
  readonly isListed: (origin: string) => Promise<boolean>;
}

/** Chromium remembers a preflight for two hours at most. */
const MAX_AGE_SECONDS = 7200;

const REQUEST_HEADERS = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-Match",
  "If-None-Match",
  "If-Range",
  "Range",
  "X-API-Key",
  "X-Request-Id",
].join(", ");

const ALLOWED = "the editor's origin, or one that an account lists in return_origins";

/**
 * Answers preflights, and lets scripts of other origins read responses, errors included
 * (https://fetch.spec.whatwg.org/#http-cors-protocol). `Access-Control-Allow-Credentials` is never
 * sent: browsers add no credentials of their own to requests for this service. docs/adr/0029 says what
 * this protects. Throws ForeignOrigin for a preflight of an origin that is not allowed.
 */
export function cors({ routes, exposedHeaders, editorUrl, isListed }: CorsOptions): Middleware {
  const editorOrigin = new URL(editorUrl).origin;
  const exposed = exposedHeaders.join(", ");

  const isAllowed = async (origin: string, readers: Readers) =>
    readers === "any" ||
    origin === editorOrigin ||
    (isReturnOrigin(origin) && (await isListed(origin)));

  return async (ctx, next) => {
    const origin = ctx.get("Origin");
    const method = preflightedMethod(ctx);
    const atPath = routes.filter((route) => route.matches(ctx.path));
    const route = atPath.find(({ methods }) => methods.includes(method ?? ctx.method));
    if (!route) return next();
    const { readers } = route;
    if (readers === "shops") ctx.vary("Origin");
    const allowed = readers === "any" ? "*" : origin;
    const isKnown = await isAllowed(origin, readers);
    if (isKnown) ctx.set("Access-Control-Allow-Origin", allowed);
    if (method !== null) {
      if (!isKnown) throw new ForeignOrigin("Origin", origin, ALLOWED);
      ctx.set({
        "Access-Control-Allow-Methods": atPath.flatMap(({ methods }) => methods).join(", "),
        "Access-Control-Allow-Headers": REQUEST_HEADERS,
        "Access-Control-Max-Age": String(MAX_AGE_SECONDS),
      });
      ctx.status = 204;
      return;
    }
    if (isKnown) ctx.set("Access-Control-Expose-Headers", exposed);
    try {
      await next();
    } finally {
      // Another account's shop has no business with this one's.
      const { account } = ctx.state;
      const isForeign = account && !account.return_origins.includes(origin);
      if (readers === "shops" && isForeign && origin !== editorOrigin) {
        ctx.remove("Access-Control-Allow-Origin");
        ctx.remove("Access-Control-Expose-Headers");
      }
    }
  };
}

/** The method that a preflight asks about; null for any other request. */
function preflightedMethod(ctx: Context): string | null {
  if (ctx.method !== "OPTIONS" || ctx.get("Origin") === "") return null;
  return ctx.get("Access-Control-Request-Method") || null;
}
