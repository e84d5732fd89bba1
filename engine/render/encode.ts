/** Chooses the encoder of a render. */
import type { Encoder } from "../encoders/encoder.ts";
import type { RenderRequest } from "../recipe/index.ts";
import type { RenderContext } from "./context.ts";
import { sizeOf } from "./picture-size.ts";
import { recipeTexts } from "./recipe-text.ts";

/** Creates the encoder of a checked request. */
export function createEncoder(
  { codec, encoders }: Pick<RenderContext, "codec" | "encoders">,
  request: RenderRequest,
): Encoder {
  const { design, render } = request;
  const { format, quality } = render;
  const facts = { ...sizeOf(design, render), pixelsPerInch: render.dpi };
  return format === "png"
    ? encoders.png({ ...facts, text: recipeTexts(request) })
    : encoders.whole({ ...facts, quality }, format, codec.encode);
}
