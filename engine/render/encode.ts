/** Chooses the encoder of a render. */
import type { Encoder } from "../encoders/encoder.ts";
import type { SampledImage } from "../image/samples.ts";
import type { RenderRequest } from "../recipe/index.ts";
import type { RenderContext } from "./context.ts";
import { createItems, isShared, takeItems, workWithHelp } from "./help.ts";
import { sizeOf } from "./picture-size.ts";
import { recipeTexts } from "./recipe-text.ts";

type EncoderContext = Pick<RenderContext, "codec" | "encoders" | "help" | "checkpoint">;

/** Creates the encoder of a checked request. */
export function createEncoder(context: EncoderContext, request: RenderRequest): Encoder {
  const { codec, encoders } = context;
  const { design, render } = request;
  const { format, quality } = render;
  const facts = { ...sizeOf(design, render), pixelsPerInch: render.dpi };
  if (format !== "png") return encoders.whole({ ...facts, quality }, format, codec.encode);
  const compressBands = context.help && ((picture: SampledImage) => compress(context, picture));
  return encoders.png({ ...facts, text: recipeTexts(request), compressBands });
}

/** Compresses the bands of a picture with the help of another thread if that can read it. */
async function compress({ encoders, help, checkpoint }: EncoderContext, picture: SampledImage) {
  const { pngBand, pngBandCount } = encoders;
  const items = createItems(pngBandCount(picture));
  const work = async (item: number) => {
    await checkpoint();
    return pngBand(picture, item);
  };
  return help && isShared(picture) && items.count > 1
    ? workWithHelp(help, { kind: "compress", picture, items }, work)
    : [...(await takeItems(items, work)).values()];
}
