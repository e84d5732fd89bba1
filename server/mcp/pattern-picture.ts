import { getSource } from "../actions/get-source.ts";
import { type Picture, planRender, type RenderFields } from "../actions/render-pattern.ts";
import type { Pattern, Services } from "../actions/services.ts";
import { previewOf, type Shown } from "./preview.ts";

/** A picture of a pattern that fits into an answer. Throws as `planRender` and its `picture` do. */
export async function patternPicture(
  services: Services,
  { id, account_id, source_id, background }: Pattern,
  fields: RenderFields,
  signal: AbortSignal,
): Promise<Shown> {
  const source = await getSource(services, account_id, source_id);
  const keepsAlpha = source.has_alpha && background === null;
  return previewOf(fields, keepsAlpha, async (asked) => {
    const plan = await planRender(services, account_id, id, asked);
    return bytesOf(await plan.picture(signal));
  });
}

async function bytesOf({ bytes, read }: Picture): Promise<Uint8Array> {
  return bytes ?? Buffer.concat(await Array.fromAsync(read(0, Number.POSITIVE_INFINITY)));
}
