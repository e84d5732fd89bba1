/** Composites layers for a vignette, grain and paper on a repeated tile with sharp. */
import sharp from "sharp";
import type { PrepareTask } from "./task.ts";

export interface SharpComposite {
  /** Pixels of the sheet. */
  readonly side: number;
  /** Files of repeating tiles: the pattern, and grain and paper on middle grey. */
  readonly tile: string;
  readonly grain: string;
  readonly paper: string;
  readonly vignette: { readonly strength: number; readonly radius: number };
  /** Side in pixels of the sheet that is drawn first, which loads everything. */
  readonly warmUp: number;
  readonly path: string;
}

/** Gradient stops over the falloff. */
const STOPS = 16;

export const prepare: PrepareTask<SharpComposite> = async (options) => {
  await draw({ ...options, side: options.warmUp });
  return { run: () => draw(options), close: async () => undefined };
};

async function draw({ side, tile, grain, paper, vignette, path }: SharpComposite): Promise<void> {
  const { width = side, height = side } = await sharp(tile).metadata();
  // sharp refuses more than 268 million pixels by default.
  const limitInputPixels = false;
  await sharp(tile, { limitInputPixels })
    .extend({ right: side - width, bottom: side - height, extendWith: "repeat" })
    .composite([
      { input: Buffer.from(gradient(side, vignette)), limitInputPixels },
      { input: grain, tile: true, gravity: "northwest", blend: "overlay" },
      { input: paper, tile: true, gravity: "northwest", blend: "overlay" },
    ])
    .removeAlpha()
    .png({ compressionLevel: 6 })
    .toFile(path);
}

/** Black with the opacity that darkens like our vignette. */
function gradient(side: number, { strength, radius }: SharpComposite["vignette"]): string {
  const stops = Array.from({ length: STOPS + 1 }, (_, at) => {
    const t = at / STOPS;
    const opacity = 1 - (1 - strength * t * t * (3 - 2 * t)) ** (7 / 16);
    return `<stop offset="${radius + (1 - radius) * t}" stop-opacity="${opacity}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><radialGradient id="v" r="${Math.SQRT1_2}">${stops.join("")}</radialGradient><rect width="100%" height="100%" fill="url(#v)"/></svg>`;
}
