/** Fades colours like sunlight. */

import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { decodeChannel } from "../lib/colour.ts";
import { float32sOf, layout, type RecordOf } from "../lib/layout.ts";
import { entryOf } from "../lib/noise.ts";
import { encodeChannel, packFloor, unpack } from "../lib/pack.ts";
import { pixelAt, saturate } from "../lib/paint.ts";
import { between, randomSequence } from "../lib/random.ts";
import { stages } from "../lib/stages.ts";
import { Seed, Strength } from "../parameters.ts";
import { defineSurfaceEffect } from "./effect.ts";
import { clouds, FIELD_NODES, fieldAt, fieldLiterals, nodesOf } from "./soft-field.ts";

/** Curves of a channel, from as it was to faded altogether. */
const CURVES = 9;

const PARAMS = layout({
  /** How far the sheet has faded, 0…1; see soft-field.ts. */
  nodes: FIELD_NODES,
  /** Curves of 256 values; the first has whole numbers, which dithering leaves alone. */
  red: CURVES * 256,
  green: CURVES * 256,
  blue: CURVES * 256,
});

/** A channel between two of its curves. */
const fadedBy = (curves: readonly number[], place: number, share: number) =>
  curves[place] + (curves[place + 256] - curves[place]) * share;

/** Rounding is dithered, because plain grounds would show the field's contours. */
function bleach(
  this: KernelThis,
  colour: Float32Array,
  firstRow: number,
  width: number,
  height: number,
  params: RecordOf<typeof PARAMS>,
  table: Float32Array,
): number {
  const { row, column: x } = pixelAt(this.thread.x, width);
  const y = row + firstRow;
  const level = saturate(fieldAt(params.nodes, x, y, width, height)) * (CURVES - 1);
  const curve = Math.min(Math.floor(level), CURVES - 2);
  const share = level - curve;
  const { red, green, blue } = unpack(colour[this.thread.x]);
  const seat = entryOf(table, x) + y;
  return packFloor(
    fadedBy(params.red, curve * 256 + red, share) + (entryOf(table, seat) + 0.5) / 4096,
    fadedBy(params.green, curve * 256 + green, share) + (entryOf(table, seat + 1357) + 0.5) / 4096,
    fadedBy(params.blue, curve * 256 + blue, share) + (entryOf(table, seat + 2711) + 0.5) / 4096,
  );
}

/** Share of its density that each ink loses in the end: cyan, magenta, yellow. */
const LOSSES = {
  even: [0.72, 0.72, 0.72],
  // Of process inks yellow and magenta go first: posters in shop windows turn blue.
  print: [0.55, 0.78, 0.84],
  // Of chromogenic prints the cyan dye goes first: old holidays are red.
  photograph: [0.84, 0.66, 0.62],
} as const;

/** Reflectance of the deepest black of a print, so that black fades, too. */
const BLACK = 0.012;

/** Reflectance of fully yellowed paper for red, green and blue. */
const YELLOWED = [0.98, 0.88, 0.62] as const;

/**
 * Curves of 256 encoded values of one channel. Ink of reflectance R that loses a share of its
 * density has R^(1 − share) (Beer–Lambert).
 */
function curvesOf(loss: number, yellowed: number): number[] {
  return Array.from({ length: CURVES * 256 }, (_, index) => {
    const faded = Math.floor(index / 256) / (CURVES - 1);
    const value = index % 256;
    if (faded === 0) return value;
    const light = decodeChannel(value / 255);
    const ink = (light + BLACK) / (1 + BLACK);
    const bleached = light + ink ** (1 - loss * faded) - ink;
    return encodeChannel(bleached * (1 - (1 - yellowed) * faded));
  });
}

export const fade = defineSurfaceEffect({
  id: "fade",
  title: "Fade",
  description:
    "Bleaches the sheet like years of sunlight: inks lose density, blacks become washed-out greys, hues shift, and one side is more faded than the other.",
  params: Type.Object(
    {
      strength: Strength(0.6, "Fading where the sheet had most light; 1 is decades."),
      dyes: Type.Enum(["even", "print", "photograph"], {
        default: "print",
        description:
          "Colours that fade first: `print` loses yellow and magenta and turns blue, `photograph` loses cyan and turns red, `even` keeps its hues.",
      }),
      yellowing: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.3,
        description: "Yellowing of the paper as it fades; 0 keeps white.",
      }),
      unevenness: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description: "Share by which the most shaded parts of the sheet have faded less.",
      }),
      angle: Type.Number({
        minimum: -180,
        maximum: 180,
        default: -60,
        description:
          "Direction of the light in degrees clockwise from the right edge: 90 is the bottom, −90 the top.",
      }),
      seed: Seed("Seed of the shade on the sheet."),
    },
    { additionalProperties: false },
  ),
  prepare({ strength, dyes, yellowing, unevenness, angle, seed }, sheet) {
    const random = randomSequence(seed, 0xfade);
    const shade = clouds(random, between(random, 1.6, 2.4));
    const turn = (angle * Math.PI) / 180;
    const [towardsX, towardsY] = [Math.cos(turn), Math.sin(turn)];
    const nodes = nodesOf(sheet, (x, y) => {
      const away = 0.5 - 0.8 * (x * towardsX + y * towardsY);
      const shaded = 0.6 * Math.min(Math.max(away, 0), 1) + 0.4 * shade(x, y);
      return strength * (1 - unevenness * shaded);
    });
    const [red, green, blue] = ([0, 1, 2] as const).map((channel) =>
      curvesOf(LOSSES[dyes][channel], 1 - yellowing * (1 - YELLOWED[channel])),
    );
    return float32sOf({ nodes, red, green, blue }, PARAMS);
  },
  kernel: {
    run: bleach,
    helpers: [fieldAt, fadedBy, ...stages],
    records: { params: PARAMS },
    literals: { CURVES, ...fieldLiterals },
  },
});
