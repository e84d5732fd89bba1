/** The HTTP application: every route and its middleware. It does not listen. */
import { type Layer, Router } from "@koa/router";
import Koa, { type Middleware } from "koa";
import packageFile from "../../package.json" with { type: "json" };
import type { Log } from "../actions/log.ts";
import type { McpPort } from "../actions/mcp-port.ts";
import { createOriginLookup } from "../actions/origins.ts";
import type { Services } from "../actions/services.ts";
import { basePathOf } from "./base-path.ts";
import { isClientAbort, isLocalRequest } from "./client.ts";
import { MalformedRequest, MethodNotAllowed, PathNotFound } from "./errors.ts";
import { type CrossOriginRoute, createCors } from "./middleware/cors.ts";
import { problems } from "./middleware/problems.ts";
import { requestLog } from "./middleware/request-log.ts";
import { traceRequests } from "./middleware/trace.ts";
import { SHARED_HEADERS } from "./openapi/headers.ts";
import { describeRoutes, openApiDocument } from "./openapi.ts";
import type { CorsAccess, Route } from "./route.ts";
import { accountRoutes } from "./routes/account.ts";
import { apiKeyRoutes } from "./routes/api-keys.ts";
import { authRoutes } from "./routes/auth.ts";
import { batchRoutes } from "./routes/batches.ts";
import { catalogueRoutes } from "./routes/catalogues.ts";
import { consoleRoutes, missingPage } from "./routes/console.ts";
import { deliveryRoutes } from "./routes/deliveries.ts";
import { docsRoutes, openApiRoute } from "./routes/docs.ts";
import { editorRoutes } from "./routes/editor.ts";
import { embedRoutes } from "./routes/embed.ts";
import { exportRoutes } from "./routes/exports.ts";
import { guestSessionRoutes } from "./routes/guest-sessions.ts";
import { healthRoutes } from "./routes/health.ts";
import { inkRoutes } from "./routes/inks.ts";
import { mcpRoutes } from "./routes/mcp.ts";
import { mockupMapRoutes } from "./routes/mockup-maps.ts";
import { mockupRoutes } from "./routes/mockups.ts";
import { operatorRoutes } from "./routes/operator.ts";
import { patternRoutes } from "./routes/patterns.ts";
import { renderLinkRoutes } from "./routes/render-links.ts";
import { renderRoutes } from "./routes/renders.ts";
import { sourceRoutes } from "./routes/sources.ts";
import { validationRoutes } from "./routes/validation.ts";
import { webhookRoutes } from "./routes/webhooks.ts";
import { sendResponse } from "./send-response.ts";
import { serveRoute } from "./serve-route.ts";

/** Every route, in the order of the documentation. */
export const ROUTES: readonly Route[] = [
  ...sourceRoutes,
  ...patternRoutes,
  ...inkRoutes,
  ...renderRoutes,
  ...batchRoutes,
  ...exportRoutes,
  ...mockupRoutes,
  ...mockupMapRoutes,
  ...renderLinkRoutes,
  ...validationRoutes,
  ...catalogueRoutes,
  ...embedRoutes,
  ...guestSessionRoutes,
  ...editorRoutes,
  ...consoleRoutes,
  ...mcpRoutes,
  ...authRoutes,
  ...accountRoutes,
  ...apiKeyRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
  ...operatorRoutes,
  ...healthRoutes,
  openApiRoute((publicUrl) => openApiDocument(documented, publicUrl)),
  ...docsRoutes,
];

const documented = describeRoutes(ROUTES, packageFile.version);

export interface AppParts {
  readonly services: Services;
  readonly mcp: McpPort;
  readonly log: Log;
  /** Number of trusted proxies, each of which appends to X-Forwarded-For. */
  readonly trustedProxies: number;
  /** Default: all. */
  readonly routes?: readonly Route[];
}

/** Returns the Koa application. */
export function createApp({ services, mcp, log, trustedProxies, routes = ROUTES }: AppParts): Koa {
  // The client's address is the one that the outermost trusted proxy appended.
  const app = new Koa({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  const router = new Router();
  const cors = createCors({
    exposedHeaders: EXPOSED_HEADERS,
    editorUrl: services.editorUrl,
    isListed: createOriginLookup(services.db),
  });
  const crossOrigin: CrossOriginRoute[] = [];
  for (const route of routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ":$1");
    const corsAccess = corsAccessOf(route);
    const middleware = [
      nameRoute(route),
      ...(corsAccess ? [cors.responses(corsAccess)] : []),
      ...serveRoute(route, services, mcp),
    ];
    const layer = router.register(path, [route.method], middleware) as Layer;
    const matches = (requested: string) => layer.match(requested);
    if (corsAccess) crossOrigin.push({ methods: [route.method], corsAccess, matches });
  }
  app.use(manyListeners);
  app.use(traceRequests);
  app.use(requestLog(log));
  app.use(problems(basePathOf(services.publicUrl), mcp, services.readiness));
  app.use(neverSniff);
  app.use(cors.preflights(crossOrigin));
  app.use(requireHost);
  app.use(router.routes());
  app.use(noRoute(services));
  // Errors after the headers were sent can only be logged.
  app.on("error", (error, ctx) => {
    if (!isClientAbort(error, ctx)) ctx.state.error = error;
  });
  return app;
}

/** Which origins may read the route's responses; undefined: only the service's own. */
function corsAccessOf({ corsAccess, allowsGuests, auth }: Route): CorsAccess | undefined {
  return corsAccess ?? (allowsGuests || auth === "guest" ? "listed-origins" : undefined);
}

/** Every documented response header of the routes that other origins may call. */
const EXPOSED_HEADERS = [
  ...new Set([
    "X-Request-Id",
    ...Object.keys(SHARED_HEADERS),
    ...ROUTES.filter(corsAccessOf).flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ headers, optionalHeaders }) =>
        Object.keys({ ...headers, ...optionalHeaders }),
      ),
    ),
  ]),
].sort();

/** Quotas and streams are released at the end of the response. */
const manyListeners: Middleware = (ctx, next) => {
  ctx.res.setMaxListeners(32);
  return next();
};

/** RFC 9112, section 3.2: HTTP/1.1 names its host. */
const requireHost: Middleware = (ctx, next) => {
  if (ctx.req.httpVersion === "1.0" || ctx.get("Host") !== "") return next();
  throw new MalformedRequest("expected a header Host");
};

/** The route in the log, by its path in the documentation. */
const nameRoute =
  ({ path }: Route): Middleware =>
  (ctx, next) => {
    ctx.state.route = path;
    return next();
  };

const neverSniff: Middleware = (ctx, next) => {
  ctx.set("X-Content-Type-Options", "nosniff");
  return next();
};

/** Runs if no route matches: the path is unknown, or known for other methods. */
const noRoute =
  (services: Services): Middleware =>
  async (ctx) => {
    const methods = (ctx.matched ?? []).flatMap((layer: { methods: string[] }) => layer.methods);
    if (methods.length > 0) {
      throw new MethodNotAllowed(ctx.method, [...new Set<string>(methods)].sort());
    }
    const isPage = /^(GET|HEAD)$/.test(ctx.method) && !ctx.path.startsWith("/api/");
    if (!isPage || ctx.accepts("json", "html") !== "html") throw new PathNotFound(ctx.path);
    await sendResponse(ctx, await missingPage(services, isLocalRequest(ctx)));
  };
