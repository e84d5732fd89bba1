import type { StoredPattern } from "../actions/pattern-cache.ts";
import {
  type Checked,
  type Picture,
  planStored,
  type RenderFields,
  renderPicture,
  retryUnreadable,
} from "../actions/renders.ts";
import type { Services } from "../actions/services.ts";
import { type Preview, previewOf } from "./preview.ts";

/**
 * A picture of this version of a pattern that fits into an answer. Throws as `planStored` and its
 * `picture` do.
 */
export async function patternPicture(
  services: Services,
  stored: StoredPattern,
  fields: Checked<RenderFields>,
  signal: AbortSignal,
): Promise<Preview> {
  const keepsAlpha = stored.source.has_alpha && stored.pattern.background === null;
  return previewOf(fields, keepsAlpha, (asked) => {
    const plan = planStored(services, stored, asked);
    return retryUnreadable(async () => bytesOf(await renderPicture(services, plan, signal)));
  });
}

async function bytesOf({ bytes, read }: Picture): Promise<Uint8Array> {
  return bytes ?? Buffer.concat(await Array.fromAsync(read(0, Number.POSITIVE_INFINITY)));
}
