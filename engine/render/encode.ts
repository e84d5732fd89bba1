/** Chooses the encoder of a render. */
import type { Encoder } from "../encoders/encoder.ts";
import type { DeflatedBand } from "../encoders/png/band.ts";
import type { SampledImage } from "../image/samples.ts";
import type { RenderRequest } from "../recipe/index.ts";
import type { RenderContext } from "./context.ts";
import { createItems, isShared, workWithHelp } from "./help.ts";
import { sizeOf } from "./picture-size.ts";
import { recipeTexts } from "./recipe-text.ts";

type EncoderContext = Pick<
  RenderContext,
  "codec" | "encoders" | "pictureMemory" | "help" | "checkpoint"
>;

/** Creates the encoder of a checked request. */
export function createEncoder(context: EncoderContext, request: RenderRequest): Encoder {
  const { codec, encoders, pictureMemory } = context;
  const { design, render } = request;
  const { format, quality } = render;
  const facts = { ...sizeOf(design, render), pixelsPerInch: render.dpi };
  if (format !== "png") {
    return encoders.whole({ ...facts, quality }, format, codec.encode, pictureMemory);
  }
  return encoders.png({
    ...facts,
    text: recipeTexts(request),
    compressBands: (picture) => compressWithHelp(context, picture),
  });
}

/** Compresses the bands of a picture with the help of another thread; returns null if it cannot help. */
function compressWithHelp(
  { encoders, help, checkpoint }: EncoderContext,
  picture: SampledImage,
): Promise<DeflatedBand[]> | null {
  const { pngBand, pngBandCount } = encoders;
  const count = pngBandCount(picture);
  if (help === undefined || count < 2 || !isShared(picture)) return null;
  const items = createItems(count);
  return workWithHelp(help, { kind: "compress", picture, items }, async (item) => {
    await checkpoint();
    return pngBand(picture, item);
  });
}
