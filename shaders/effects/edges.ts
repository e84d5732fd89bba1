/** Draws the pattern's contours. */
import Type, { type Static } from "typebox";
import { Colour, Strength } from "../parameters.ts";
import { defineTorusEffect, type EffectContext, type Torus } from "./effect.ts";
import { inBands, pixelSize } from "./torus/bands.ts";
import { blurPlane } from "./torus/gaussian.ts";
import { gradientRows } from "./torus/gradient.ts";
import { blurredLightness } from "./torus/lightness.ts";

const Params = Type.Object(
  {
    width: Type.Number({
      minimum: 0.0005,
      maximum: 0.02,
      default: 0.0025,
      description:
        "Half the width of a line, in edges of the cell. Finer detail is not drawn: wide lines show large forms only.",
    }),
    threshold: Type.Number({
      minimum: 0.005,
      maximum: 0.5,
      default: 0.075,
      description:
        "Step of lightness whose line has half the darkness of the ink, as a share of the range from black to white. Lower values draw more lines.",
    }),
    shading: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.15,
      description: "Darkness of the shading of shadows between the lines; 0 leaves the paper bare.",
    }),
    ink: Colour("#24262b", "Colour of the lines."),
    paper: Colour("#faf7ef", "Colour of the paper."),
    keep: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0,
      description: "Share of the pattern's own colours in the paper; 1 draws on the pattern.",
    }),
    strength: Strength(1, "Opacity of the drawing over the pattern; 0 changes nothing."),
  },
  { additionalProperties: false },
);

/** A line is drawn where the gradient exceeds this share of its local mean… */
const MEAN_SHARE = 0.8;
/** …over a Gaussian of this width, in widths of a line. */
const MEAN_REACH = 4;
/** Steps below this share of the threshold are ignored, like the grain of a photograph. */
const TRACELESS = 0.25;

/** Planes of 16 bits. */
interface Relief {
  readonly lightness: Uint16Array;
  readonly slope: Uint16Array;
  readonly meanSlope: Uint16Array;
}

/** Converts the slope of the lightness to the step of an edge of that slope. */
async function reliefOf(torus: Torus, width: number, context: EffectContext): Promise<Relief> {
  const pixel = pixelSize(torus);
  const sigma = { x: width / pixel.x, y: width / pixel.y };
  const lightness = await blurredLightness(torus, sigma, context);
  // A step that is blurred by σ rises by 1 / (σ·√(2π)) a pixel; Scharr's filter adds about 0.6² of
  // a pixel to the variance.
  const spread = (pixels: number) => Math.sqrt((pixels * pixels + 0.36) * 2 * Math.PI);
  const unit = { x: spread(sigma.x), y: spread(sigma.y) };
  const slope = new Uint16Array(lightness.length);
  await inBands(torus, context, (from, to) =>
    gradientRows(lightness, slope, torus, unit, from, to),
  );
  const around = { x: sigma.x * MEAN_REACH, y: sigma.y * MEAN_REACH };
  const spare = new Uint16Array(slope.length);
  const [meanSlope] = await blurPlane(slope.slice(), spare, torus, around, context);
  return { lightness, slope, meanSlope };
}

/** Draws pixels first … end − 1. Mixes encoded colours, as perceived darkness does. */
function draw(
  colour: Float32Array,
  { lightness, slope, meanSlope }: Relief,
  { ink, paper, keep, threshold, shading, strength }: Static<typeof Params>,
  first: number,
  end: number,
): void {
  const half = threshold * 65535;
  const inks = channelsOf(ink);
  const papers = channelsOf(paper);
  // The pattern's own colours have their shadows already.
  const shade = shading * (1 - keep);
  for (let i = first; i < end; i++) {
    const rise = Math.max(slope[i] - MEAN_SHARE * meanSlope[i] - TRACELESS * half, 0);
    const shadow = 1 - lightness[i] / 65535;
    const bare = (1 - rise / (rise + half)) * (1 - shade * shadow * shadow);
    let packed = 0;
    for (let channel = 0; channel < 3; channel++) {
      const shift = 16 - 8 * channel;
      const own = (colour[i] >> shift) & 255;
      const ground = papers[channel] + (own - papers[channel]) * keep;
      const drawn = inks[channel] + (ground - inks[channel]) * bare;
      packed |= (own + (drawn - own) * strength + 0.5) << shift;
    }
    colour[i] = packed;
  }
}

function channelsOf(hex: string): readonly [number, number, number] {
  const packed = Number.parseInt(hex.slice(1), 16);
  return [packed >> 16, (packed >> 8) & 255, packed & 255];
}

export const edges = defineTorusEffect({
  id: "edges",
  title: "Edges",
  description: "Draws the contours as lines of ink on paper, with a little shading.",
  params: Params,
  neutral: { strength: 0 },
  async apply(torus, params, context) {
    if (params.strength === 0) return torus;
    const { colour, width } = torus;
    const relief = await reliefOf(torus, params.width, context);
    await inBands(torus, context, (from, to) =>
      draw(colour, relief, params, from * width, to * width),
    );
    return torus;
  },
});
