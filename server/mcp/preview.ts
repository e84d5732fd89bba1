/** Pictures that fit into a response: as requested if they are small enough, else a preview. */
import type { StoredPattern } from "../actions/pattern-cache.ts";
import {
  type Checked,
  checkRender,
  planStored,
  type RenderFields,
  renderPicture,
  retryUnreadable,
  type ScaledRender,
  scaledRender,
  sizeOf,
} from "../actions/renders.ts";
import type { Services } from "../actions/services.ts";

/** Maximum pixels of the longer side; models see no more. */
const LONGEST = 1568;

/**
 * Maximum bytes: 853 kB in base64, so that the response with its text stays below 900 kB. Claude
 * Desktop rejects responses of more than 1 MB.
 */
const HEAVIEST = 640_000;

/** Formats that clients display. */
const SHOWN_FORMATS: readonly string[] = ["png", "jpeg", "webp"];

const GOOD = 85;
const FAIR = 65;

export interface Preview extends ScaledRender {
  readonly bytes: Uint8Array;
  readonly isPreview: boolean;
}

/**
 * Renders this version of a pattern as a picture of at most 1568 pixels on its longer side and 640 kB
 * in png, jpeg or webp, scaling it down until it fits. Throws the errors of `renderPicture`.
 */
export async function renderPreview(
  services: Services,
  stored: StoredPattern,
  asked: Checked<RenderFields>,
  signal: AbortSignal,
): Promise<Preview> {
  const render = (fields: Checked<RenderFields>) =>
    retryUnreadable(async () => {
      const { bytes, read } = await renderPicture(
        services,
        planStored(services, stored, fields),
        signal,
      );
      return bytes ?? Buffer.concat(await Array.fromAsync(read(0, Number.POSITIVE_INFINITY)));
    });
  const { width, height } = sizeOf(stored.design, asked);
  let factor = Math.min(1, LONGEST / Math.max(width, height));
  if (factor === 1 && SHOWN_FORMATS.includes(asked.format)) {
    const bytes = await render(asked);
    if (bytes.byteLength <= HEAVIEST) {
      return { bytes, fields: asked, scale: 1, isComplete: true, isPreview: false };
    }
  }
  const keepsAlpha = stored.source.has_alpha && stored.design.background === null;
  const format = keepsAlpha && asked.format !== "jpeg" ? "webp" : "jpeg";
  let quality = Math.min(GOOD, asked.quality);
  for (;;) {
    const scaled = scaledRender({ ...asked, format, quality }, factor);
    const bytes = await render(checkRender(scaled.fields));
    if (bytes.byteLength <= HEAVIEST) return { ...scaled, bytes, isPreview: true };
    // The size grows at most with the area. WebP encodes alpha losslessly at any quality.
    if (quality <= FAIR || format === "webp") {
      factor *= 0.95 * Math.sqrt(HEAVIEST / bytes.byteLength);
    }
    quality = Math.min(quality, FAIR);
  }
}
