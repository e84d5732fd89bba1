import type { Context, Middleware } from "koa";
import { limitsOf } from "../../actions/in-flight.ts";
import type { Services } from "../../actions/services.ts";
import { FORM_TYPE, readForm } from "../body/form.ts";
import { JSON_TYPE, readJson } from "../body/json.ts";
import { NDJSON_TYPE, readNdjson } from "../body/ndjson.ts";
import { networkOf } from "../client.ts";
import { UnsupportedMediaType } from "../errors.ts";
import type { Route } from "../route.ts";

const JSON_BYTES = 1024 * 1024;

/** Limits for unauthenticated callers: bytes of a body, */
const ANONYMOUS_BYTES = 16 * 1024;

/** and of all bodies of one address in flight. */
const ADDRESS_BYTES = 256 * 1024;

/**
 * Reads the body into `ctx.state.body`: the JSON value, the values of NDJSON in the field that they stand for, or
 * a form's fields with its file; `ctx.state.isForm` tells whether it is one. An empty body is `{}`. Its bytes are
 * in flight until the response is complete.
 */
export function readBody(route: Route, services: Services): Middleware {
  const { form, lines, picturePath } = route;
  const { maximumBytes = route.auth === "none" ? ANONYMOUS_BYTES : JSON_BYTES } = route;
  const { intake, idleMs } = services.bodies;
  const types = [JSON_TYPE, ...(form ? [FORM_TYPE] : []), ...(lines ? [NDJSON_TYPE] : [])];
  return async (ctx, next) => {
    ctx.state.body = {};
    if (!hasBody(ctx)) return next();
    const type = ctx.is(types);
    if (!type) throw UnsupportedMediaType.ofType(ctx.method, types, ctx.get("Content-Type"));
    const { hold, release } = holding(services, ctx);
    ctx.state.isForm = type === FORM_TYPE;
    try {
      if (lines && type === NDJSON_TYPE) {
        const limits = { maximumBytes: lines.maximumBytes, hold, idleMs };
        const { values, sha256 } = await readNdjson(ctx, intake, limits, lines.maximum);
        ctx.state.body = { [lines.field]: values };
        ctx.state.bodySha256 = sha256;
      } else {
        ctx.state.body = ctx.state.isForm
          ? await readForm(ctx, { hold, idleMs })
          : await readJson(ctx, intake, { maximumBytes, hold, idleMs }, picturePath);
      }
    } catch (error) {
      release();
      throw error;
    }
    try {
      return await next();
    } finally {
      // A stream is still to be sent, and a client may disconnect before the work ends.
      if (ctx.res.closed) release();
      else ctx.res.once("close", release);
    }
  };
}

/** Counts the bytes of one body; `hold` is called with the number so far. */
function holding({ db, bodies }: Services, ctx: Context) {
  const { account, handoffId } = ctx.state;
  const shares = account
    ? limitsOf(db, "body_bytes_in_flight", account, handoffId)
    : [{ owner: `address ${networkOf(ctx.ip)}`, limit: ADDRESS_BYTES }];
  const releases: (() => void)[] = [];
  let held = 0;
  return {
    hold(bytes: number) {
      if (bytes <= held) return;
      releases.push(bodies.inFlight.take(shares, bytes - held));
      held = bytes;
    },
    release() {
      for (const release of releases) release();
    },
  };
}

function hasBody(ctx: Context): boolean {
  const length = ctx.get("Content-Length");
  return length === "" ? ctx.get("Transfer-Encoding") !== "" : length !== "0";
}
