import type { Context, Middleware } from "koa";
import { FORM_TYPE, readForm } from "../body/form.ts";
import { JSON_TYPE, readJson } from "../body/json.ts";
import { UnsupportedMediaType } from "../errors.ts";
import type { Route } from "../route.ts";

const JSON_BYTES = 1024 * 1024;

/**
 * Reads the body into `ctx.state.body`: what the JSON says, or a form's fields with the bytes of
 * its file; `ctx.state.isForm` tells which. No body counts as `{}`.
 */
export function readBody({ form, maximumBytes = JSON_BYTES }: Route): Middleware {
  const types = form ? [JSON_TYPE, FORM_TYPE] : [JSON_TYPE];
  return async (ctx, next) => {
    ctx.state.body = {};
    if (hasBody(ctx)) {
      const type = ctx.is(types);
      if (!type) throw new UnsupportedMediaType(types.join(" or "), ctx.get("Content-Type"));
      ctx.state.isForm = type === FORM_TYPE;
      ctx.state.body = ctx.state.isForm ? await readForm(ctx) : await readJson(ctx, maximumBytes);
    }
    return next();
  };
}

function hasBody(ctx: Context): boolean {
  const length = ctx.get("Content-Length");
  return length === "" ? ctx.get("Transfer-Encoding") !== "" : length !== "0";
}
