/** Misaligned printing plates. */

import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { float32sOf, layout, type RecordOf } from "../lib/layout.ts";
import { unpack } from "../lib/pack.ts";
import { pixelAt } from "../lib/paint.ts";
import { between, randomSequence } from "../lib/random.ts";
import { stages } from "../lib/stages.ts";
import { Seed, Strength } from "../parameters.ts";
import { defineSurfaceEffect } from "./effect.ts";

const PLATE = layout({
  /** Pixels to the right and down. */
  right: 1,
  down: 1,
  /** Pixels per pixel from the sheet's middle. */
  turn: 1,
});

const PARAMS = layout({
  strength: 1,
  /** Share of the darkness that the black plate prints. */
  black: 1,
  /** Cyan, magenta and yellow. */
  plates: [PLATE, 3],
});
type Params = RecordOf<typeof PARAMS>;

/** One of four numbers. */
function chosen(index: number, first: number, second: number, third: number, fourth: number) {
  let one = first;
  if (index === 1) {
    one = second;
  } else if (index === 2) {
    one = third;
  } else if (index === 3) {
    one = fourth;
  }
  return one;
}

/** Weights of four neighbours at `t` of the way from the second to the third: Catmull and Rom's cubic. */
function cubicWeights(t: number) {
  return {
    w0: t * (t * (1 - 0.5 * t) - 0.5),
    w1: t * t * (1.5 * t - 2.5) + 1,
    w2: t * (t * (2 - 1.5 * t) + 0.5),
    w3: t * t * (0.5 * t - 0.5),
  };
}

/** Returns the share of light that the black plate transmits. */
const throughBlack = (red: number, green: number, blue: number, params: Params) =>
  1 - params.black * (1 - Math.max(red, Math.max(green, blue)) / 255);

/**
 * Returns a plate's print at (x, y) pixels of the band, shifted by (dx, dy): a channel 0…255
 * without the black plate's share. Linear interpolation would blur a turned plate in stripes.
 */
function inkAt(
  colour: Float32Array,
  plate: number,
  x: number,
  y: number,
  dx: number,
  dy: number,
  width: number,
  params: Params,
): number {
  const column = Math.floor(dx);
  const row = Math.floor(dy);
  const u = dx - column;
  const v = dy - row;
  const x0 = Math.min(Math.max(x + column - 1, 0), width - 1);
  const x1 = Math.min(Math.max(x + column, 0), width - 1);
  const x2 = Math.min(Math.max(x + column + 1, 0), width - 1);
  const x3 = Math.min(Math.max(x + column + 2, 0), width - 1);
  const { w0, w1, w2, w3 } = cubicWeights(u);
  const { w0: v0, w1: v1, w2: v2, w3: v3 } = cubicWeights(v);
  let ink = 0;
  for (let line = 0; line < 4; line++) {
    const weight = chosen(line, v0, v1, v2, v3);
    const start = (y + row + line - 1) * width;
    for (let tap = 0; tap < 4; tap++) {
      // Sixteen pixels except the four corners, whose weights are negligible.
      if (line === 1 || line === 2 || tap === 1 || tap === 2) {
        const share = chosen(tap, w0, w1, w2, w3);
        const { red, green, blue } = unpack(colour[start + chosen(tap, x0, x1, x2, x3)]);
        const channel = chosen(plate, red, green, blue, blue);
        ink += (weight * share * channel) / throughBlack(red, green, blue, params);
      }
    }
  }
  const whole = 1 - (w0 + w3) * v * (v - 1) * 0.5;
  return Math.min(Math.max(ink / whole, 0), 255);
}

/**
 * Inks multiply. The black plate takes its share of a pixel's darkness and stays in place; the
 * rest of red, green and blue belongs to the three others, which are read at their own positions.
 */
function shiftPlates(
  this: KernelThis,
  colour: Float32Array,
  firstRow: number,
  width: number,
  height: number,
  params: Params,
  // biome-ignore lint/correctness/noUnusedFunctionParameters: all effects are called alike
  table: Float32Array,
  reach: number,
): number {
  const { row, column: x } = pixelAt(this.thread.x, width);
  const y = row + firstRow;
  const { red, green, blue } = unpack(colour[this.thread.x + reach * width]);
  const key = throughBlack(red, green, blue, params);
  let out = 0;
  for (let plate = 0; plate < 3; plate++) {
    const { right, down, turn } = params.plates[plate];
    const dx = turn * (y + 0.5 - height * 0.5) - right;
    const dy = -turn * (x + 0.5 - width * 0.5) - down;
    const ink = inkAt(colour, plate, x, row + reach, dx, dy, width, params);
    const before = chosen(plate, red, green, blue, blue);
    out = out * 256 + Math.floor(before + params.strength * (ink * key - before) + 0.5);
  }
  return out;
}

export const misregistration = defineSurfaceEffect({
  id: "misregistration",
  title: "Misregistration",
  description:
    "Shifts and rotates the cyan, magenta and yellow plates, so that edges have coloured fringes; plain grounds are unchanged.",
  params: Type.Object(
    {
      strength: Strength(1, "Opacity of the misaligned print over the sheet."),
      shift: Type.Number({
        minimum: 0,
        maximum: 2,
        default: 0.35,
        description: "Shift of the most misaligned plate, in millimetres.",
      }),
      turn: Type.Number({
        minimum: 0,
        maximum: 2,
        default: 0.25,
        description:
          "Maximum displacement of the sheet's corners by a plate's rotation, in millimetres.",
      }),
      black: Type.Number({
        minimum: 0,
        maximum: 0.9,
        default: 0.5,
        description:
          "Share of the darkness printed by the black plate, which stays in place and keeps drawings sharp.",
      }),
      seed: Seed("Seed of the plates' directions."),
    },
    { additionalProperties: false },
  ),
  prepare({ strength, black, seed, ...given }, { width, height, pixelsPerMillimetre }) {
    const shift = given.shift * pixelsPerMillimetre;
    const turn = given.turn * pixelsPerMillimetre;
    const random = randomSequence(seed, 0x3156);
    const start = between(random, 0, 2 * Math.PI);
    const worst = Math.floor(random() * 3);
    const plates = [0, 1, 2].flatMap((plate) => {
      const direction = start + ((plate + between(random, -0.2, 0.2)) * 2 * Math.PI) / 3;
      const length = shift * (plate === worst ? 1 : between(random, 0.4, 0.9));
      const turned = between(random, 0.4, 1) * (random() < 0.5 ? -1 : 1);
      return [
        length * Math.cos(direction),
        length * Math.sin(direction),
        (turn * turned) / (Math.hypot(width, height) / 2),
      ];
    });
    return float32sOf({ strength, black, plates }, PARAMS);
  },
  // The cubic reads two pixels further.
  reach: ({ shift, turn }, { pixelsPerMillimetre }) =>
    Math.ceil((shift + turn) * pixelsPerMillimetre) + 2,
  kernel: {
    run: shiftPlates,
    helpers: [inkAt, chosen, cubicWeights, throughBlack, ...stages],
    records: { params: PARAMS },
  },
});
