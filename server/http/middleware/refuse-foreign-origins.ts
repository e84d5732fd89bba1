import type { Middleware } from "koa";
import { isLoopback } from "../../actions/origins.ts";
import { OriginRefused } from "../errors.ts";

/**
 * Refuses requests for other host names and from pages of other origins: a page whose name was
 * rebound to this machine (DNS rebinding) could otherwise call the service as its own. `publicUrl`
 * is the service's address.
 */
export function refuseForeignOrigins(publicUrl: string): Middleware {
  const own = new URL(publicUrl);
  const isOwn = (url: URL | null) =>
    url !== null && (url.host === own.host || isLoopback(url.hostname));
  return (ctx, next) => {
    const origin = ctx.get("Origin");
    if (!isOwn(URL.parse(`http://${ctx.host}`))) throw new OriginRefused("Host", ctx.host);
    if (origin !== "" && !isOwn(URL.parse(origin))) throw new OriginRefused("Origin", origin);
    return next();
  };
}
