import type { Context, Middleware } from "koa";
import { isReturnOrigin } from "../../actions/origins.ts";
import { networkOf } from "../client.ts";
import { OriginRefused } from "../errors.ts";
import type { CorsAccess } from "../route.ts";

/** A route that pages of other origins may call. */
export interface CrossOriginRoute {
  readonly methods: readonly string[];
  readonly corsAccess: CorsAccess;
  matches(path: string): boolean;
}

export interface CorsOptions {
  /** Response headers that scripts may read, beside the CORS-safelisted ones. */
  readonly exposedHeaders: readonly string[];
  readonly editorUrl: string;
  /** See `createOriginLookup`. */
  readonly isListed: (origin: string, network: string) => Promise<boolean>;
}

/** Chromium caches a preflight for at most two hours. */
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

/** Middleware of one policy; docs/adr/0029 says what it protects. */
export interface Cors {
  /** Responds to preflights. Throws OriginRefused for an origin that is not allowed. */
  preflights(routes: readonly CrossOriginRoute[]): Middleware;
  /**
   * Lets scripts of other origins read a route's responses, errors included
   * (https://fetch.spec.whatwg.org/#http-cors-protocol). `Access-Control-Allow-Credentials` is never
   * sent: browsers add no credentials of their own to requests for this service.
   */
  responses(corsAccess: CorsAccess): Middleware;
}

export function createCors({ exposedHeaders, editorUrl, isListed }: CorsOptions): Cors {
  const editorOrigin = new URL(editorUrl).origin;
  const exposed = exposedHeaders.join(", ");

  const isAllowed = async (ctx: Context, origin: string, corsAccess: CorsAccess) =>
    corsAccess === "any-origin" ||
    origin === editorOrigin ||
    (isReturnOrigin(origin) && (await isListed(origin, networkOf(ctx.ip))));

  const allowedOrigin = (corsAccess: CorsAccess, origin: string) =>
    corsAccess === "any-origin" ? "*" : origin;

  return {
    preflights: (routes) => async (ctx, next) => {
      const method = requestedMethod(ctx);
      if (method === null) return next();
      const atPath = routes.filter((route) => route.matches(ctx.path));
      const route = atPath.find(({ methods }) => methods.includes(method));
      if (!route) return next();
      const origin = ctx.get("Origin");
      const { corsAccess } = route;
      if (corsAccess === "listed-origins") ctx.vary("Origin");
      if (!(await isAllowed(ctx, origin, corsAccess))) {
        throw new OriginRefused("Origin", origin, ALLOWED);
      }
      ctx.set({
        "Access-Control-Allow-Origin": allowedOrigin(corsAccess, origin),
        "Access-Control-Allow-Methods": atPath.flatMap(({ methods }) => methods).join(", "),
        "Access-Control-Allow-Headers": REQUEST_HEADERS,
        "Access-Control-Max-Age": String(MAX_AGE_SECONDS),
      });
      ctx.status = 204;
    },

    responses: (corsAccess) => async (ctx, next) => {
      const origin = ctx.get("Origin");
      if (corsAccess === "listed-origins") ctx.vary("Origin");
      try {
        await next();
      } finally {
        // The origin is listed by another account.
        const { account } = ctx.state;
        const isOwn = account?.return_origins.includes(origin) || origin === editorOrigin;
        const isReadable =
          corsAccess === "listed-origins" && account
            ? isOwn
            : await isAllowed(ctx, origin, corsAccess);
        if (isReadable) {
          ctx.set("Access-Control-Allow-Origin", allowedOrigin(corsAccess, origin));
          ctx.set("Access-Control-Expose-Headers", exposed);
        }
      }
    },
  };
}

/** Returns the method that a preflight requests; null for any other request. */
function requestedMethod(ctx: Context): string | null {
  if (ctx.method !== "OPTIONS" || ctx.get("Origin") === "") return null;
  return ctx.get("Access-Control-Request-Method") || null;
}
