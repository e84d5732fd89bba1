/**
 * A picture of a render that fits into an answer: as it was asked for where that is small enough,
 * or else a preview.
 */
import { type Checked, checkRender, type RenderFields, sizeOf } from "../actions/renders.ts";
import { type ScaledRender, scaledRender } from "./scaled-render.ts";

/** Pixels of the longer side; models are shown no more of a picture. */
const LONGEST = 1568;

/**
 * Bytes. Base64 makes 853 kB of them; with its text beside it the answer stays below 900 kB. Claude
 * Desktop refuses answers of more than 1 MB.
 */
const HEAVIEST = 640_000;

/** What clients show. */
const SHOWN_FORMATS: readonly string[] = ["png", "jpeg", "webp"];

const GOOD = 85;
const FAIR = 65;

export interface Preview extends ScaledRender {
  readonly bytes: Uint8Array;
  readonly isPreview: boolean;
}

/**
 * A picture of at most 1568 pixels on its longer side and 640 kB in png, jpeg or webp.
 * @param render gives the encoded picture of these fields; called until one is small enough
 * @param keepsAlpha whether the picture may be transparent and a preview has to keep that
 */
export async function previewOf(
  asked: Checked<RenderFields>,
  keepsAlpha: boolean,
  render: (fields: Checked<RenderFields>) => Promise<Uint8Array>,
): Promise<Preview> {
  const { width, height } = sizeOf(asked);
  let factor = Math.min(1, LONGEST / Math.max(width, height));
  if (factor === 1 && SHOWN_FORMATS.includes(asked.format)) {
    const bytes = await render(asked);
    if (bytes.byteLength <= HEAVIEST) {
      return { bytes, fields: asked, scale: 1, isComplete: true, isPreview: false };
    }
  }
  const format = keepsAlpha && asked.format !== "jpeg" ? "webp" : "jpeg";
  let quality = Math.min(GOOD, asked.quality);
  for (;;) {
    const scaled = scaledRender({ ...asked, format, quality }, factor);
    const bytes = await render(checkRender(scaled.fields));
    if (bytes.byteLength <= HEAVIEST) return { ...scaled, bytes, isPreview: true };
    // Bytes grow with the area, or a little more slowly. WebP writes alpha without loss, whatever
    // the quality.
    if (quality <= FAIR || format === "webp") {
      factor *= 0.95 * Math.sqrt(HEAVIEST / bytes.byteLength);
    }
    quality = Math.min(quality, FAIR);
  }
}
