/** Colours that the sun has bleached. */
import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { decodeChannel } from "../lib/colour.ts";
import { encodeChannel } from "../lib/pack.ts";
import { between, randomSequence } from "../lib/random.ts";
import { Seed, Strength } from "../parameters.ts";
import { defineSurfaceEffect } from "./effect.ts";
import { clouds, nodesOf } from "./soft-field.ts";

/**
 * `params`: 36 × 36 nodes of how far the sheet has faded (0…1; see soft-field.ts), then for each
 * channel nine curves of 256 values, from as it was to faded altogether. A pixel lies between two
 * of the curves. Rounding is dithered, or plain grounds would show the field's contours; the first
 * curve is whole numbers, which dithering leaves alone.
 */
function bleach(
  this: KernelThis,
  colour: Float32Array,
  firstRow: number,
  width: number,
  height: number,
  params: Float32Array,
  table: Float32Array,
): number {
  const local = Math.floor((this.thread.x + 0.5) / width);
  const x = this.thread.x - local * width;
  const y = local + firstRow;
  const u = 1 + (33 * (x + 0.5)) / width;
  const v = 1 + (33 * (y + 0.5)) / height;
  const column = Math.floor(u + 0.5);
  const row = Math.floor(v + 0.5);
  const tx = u - column;
  const ty = v - row;
  const left = 0.5 * (0.5 - tx) * (0.5 - tx);
  const right = 0.5 * (0.5 + tx) * (0.5 + tx);
  const middle = 1 - left - right;
  const node = row * 36 + column;
  const above = params[node - 37] * left + params[node - 36] * middle + params[node - 35] * right;
  const here = params[node - 1] * left + params[node] * middle + params[node + 1] * right;
  const below = params[node + 35] * left + params[node + 36] * middle + params[node + 37] * right;
  const upper = 0.5 * (0.5 - ty) * (0.5 - ty);
  const lower = 0.5 * (0.5 + ty) * (0.5 + ty);
  const faded = above * upper + here * (1 - upper - lower) + below * lower;

  const level = Math.min(Math.max(faded, 0), 1) * 8;
  const curve = Math.min(Math.floor(level), 7);
  const share = level - curve;
  const packed = colour[this.thread.x];
  const r = Math.floor(packed / 65536);
  const g = Math.floor(packed / 256) - r * 256;
  const b = packed - r * 65536 - g * 256;
  const atR = 1296 + curve * 256 + r;
  const atG = 3600 + curve * 256 + g;
  const atB = 5904 + curve * 256 + b;
  const red = params[atR] + (params[atR + 256] - params[atR]) * share;
  const green = params[atG] + (params[atG + 256] - params[atG]) * share;
  const blue = params[atB] + (params[atB + 256] - params[atB]) * share;
  const seat = table[x - Math.floor(x / 4096) * 4096] + y;
  const first = table[seat - Math.floor(seat / 4096) * 4096];
  const second = table[seat + 1357 - Math.floor((seat + 1357) / 4096) * 4096];
  const third = table[seat + 2711 - Math.floor((seat + 2711) / 4096) * 4096];
  return (
    Math.floor(red + (first + 0.5) / 4096) * 65536 +
    Math.floor(green + (second + 0.5) / 4096) * 256 +
    Math.floor(blue + (third + 0.5) / 4096)
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

/** Reflectance of the deepest black that a print has; what keeps fading from leaving it black. */
const BLACK = 0.012;

/** Light that a paper yellowed altogether gives back, of red, green and blue. */
const YELLOWED = [0.98, 0.88, 0.62] as const;

/**
 * Nine curves of 256 encoded values of one channel. Ink of reflectance R that loses a share of its
 * density has R^(1 − share) (Beer–Lambert).
 */
function curvesOf(loss: number, yellowed: number): number[] {
  return Array.from({ length: 9 * 256 }, (_, index) => {
    const faded = Math.floor(index / 256) / 8;
    const value = index % 256;
    if (faded === 0) return value;
    const light = decodeChannel(value / 255);
    const ink = (light + BLACK) / (1 + BLACK);
    const bleached = light + ink ** (1 - loss * faded) - ink;
    return Math.min(encodeChannel(bleached * (1 - (1 - yellowed) * faded)), 255);
  });
}

export const fade = defineSurfaceEffect({
  id: "fade",
  title: "Fade",
  description:
    "Bleaches the sheet as years of sun do: inks lose density, blacks turn to washed-out greys, hues shift, and one side has had more light than the other.",
  params: Type.Object(
    {
      strength: Strength(0.6, "How far the sheet has faded where it had most light; 1 is decades."),
      dyes: Type.Enum(["even", "print", "photograph"], {
        default: "print",
        description:
          "Which colours go first: `print` loses yellow and magenta and turns blue, `photograph` loses cyan and turns red, `even` keeps its hues.",
      }),
      yellowing: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.3,
        description: "How yellow the paper turns as it fades; 0 leaves white white.",
      }),
      unevenness: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description: "Share of the fading that the best shaded spots of the sheet were spared.",
      }),
      angle: Type.Number({
        minimum: -180,
        maximum: 180,
        default: -60,
        description:
          "Side that the light came from, in degrees clockwise from the right edge: 90 is the bottom, −90 the top.",
      }),
      seed: Seed("Number that decides where shade lay on the sheet."),
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
    const curves = LOSSES[dyes].flatMap((loss, channel) =>
      curvesOf(loss, 1 - yellowing * (1 - (YELLOWED[channel] as number))),
    );
    return Float32Array.from([...nodes, ...curves]);
  },
  kernel: { run: bleach },
});
