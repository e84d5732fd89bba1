/** Printing plates that do not meet. */
import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { between, randomSequence } from "../lib/random.ts";
import { Seed, Strength } from "../parameters.ts";
import { defineSurfaceEffect } from "./effect.ts";

/**
 * `params`: strength, share of the black plate; for the plates of cyan, magenta and yellow the
 * shift in pixels, right and down, and the turn in pixels per pixel from the sheet's middle.
 *
 * Inks multiply. The black plate takes its share of a pixel's darkness and stays in place; what is
 * left of red, green and blue belongs to the three others, which are read at their own places by
 * Catmull–Rom's cubic: linear interpolation would blur a turned plate in stripes.
 */
function shiftPlates(
  this: KernelThis,
  colour: Float32Array,
  firstRow: number,
  width: number,
  height: number,
  params: Float32Array,
  // biome-ignore lint/correctness/noUnusedFunctionParameters: all effects are called alike
  table: Float32Array,
  reach: number,
): number {
  const local = Math.floor((this.thread.x + 0.5) / width);
  const x = this.thread.x - local * width;
  const y = local + firstRow;
  const last = width - 1;
  const packed = colour[this.thread.x + reach * width];
  const r = Math.floor(packed / 65536);
  const g = Math.floor(packed / 256) - r * 256;
  const b = packed - r * 65536 - g * 256;
  const key = 1 - params[1] * (1 - Math.max(r, Math.max(g, b)) / 255);

  let out = 0;
  for (let plate = 0; plate < 3; plate++) {
    const at = 2 + plate * 3;
    const dx = params[at + 2] * (y + 0.5 - height * 0.5) - params[at];
    const dy = -params[at + 2] * (x + 0.5 - width * 0.5) - params[at + 1];
    const column = Math.floor(dx);
    const row = Math.floor(dy);
    const u = dx - column;
    const v = dy - row;
    const x1 = Math.min(Math.max(x + column, 0), last);
    const x0 = Math.min(Math.max(x + column - 1, 0), last);
    const x2 = Math.min(Math.max(x + column + 1, 0), last);
    const x3 = Math.min(Math.max(x + column + 2, 0), last);
    const w0 = u * (u * (1 - 0.5 * u) - 0.5);
    const w1 = u * u * (1.5 * u - 2.5) + 1;
    const w2 = u * (u * (2 - 1.5 * u) + 0.5);
    const w3 = u * u * (0.5 * u - 0.5);
    let ink = 0;
    // Sixteen pixels less the four corners, whose weights are next to nothing.
    const whole = 1 - (w0 + w3) * v * (v - 1) * 0.5;
    for (let line = 0; line < 4; line++) {
      let weight = v * (v * (1 - 0.5 * v) - 0.5);
      if (line === 1) {
        weight = v * v * (1.5 * v - 2.5) + 1;
      } else if (line === 2) {
        weight = v * (v * (2 - 1.5 * v) + 0.5);
      } else if (line === 3) {
        weight = v * v * (0.5 * v - 0.5);
      }
      const start = (local + reach + row + line - 1) * width;
      for (let tap = 0; tap < 4; tap++) {
        let place = x0;
        let share = w0;
        if (tap === 1) {
          place = x1;
          share = w1;
        } else if (tap === 2) {
          place = x2;
          share = w2;
        } else if (tap === 3) {
          place = x3;
          share = w3;
        }
        if (line === 1 || line === 2 || tap === 1 || tap === 2) {
          const there = colour[start + place];
          const red = Math.floor(there / 65536);
          const rest = there - red * 65536;
          const green = Math.floor(rest / 256);
          const blue = rest - green * 256;
          let channel = red;
          if (plate === 1) {
            channel = green;
          } else if (plate === 2) {
            channel = blue;
          }
          const lightest = Math.max(red, Math.max(green, blue));
          ink += (weight * share * channel) / (1 - params[1] * (1 - lightest / 255));
        }
      }
    }
    let before = r;
    if (plate === 1) {
      before = g;
    } else if (plate === 2) {
      before = b;
    }
    const printed = Math.min(Math.max(ink / whole, 0), 255) * key;
    out = out * 256 + Math.floor(before + params[0] * (printed - before) + 0.5);
  }
  return out;
}

export const misregistration = defineSurfaceEffect({
  id: "misregistration",
  title: "Misregistration",
  description:
    "Prints cyan, magenta and yellow a little beside one another, shifted and turned, so that edges have coloured fringes; plain grounds stay as they are.",
  params: Type.Object(
    {
      strength: Strength(1, "Share of the shifted print that is laid over the sheet."),
      shift: Type.Number({
        minimum: 0,
        maximum: 64,
        default: 4,
        description: "How far the plate that is worst off has been shifted, in pixels.",
      }),
      turn: Type.Number({
        minimum: 0,
        maximum: 64,
        default: 3,
        description:
          "How far at most the turn of a plate moves the corners of the sheet, in pixels.",
      }),
      black: Type.Number({
        minimum: 0,
        maximum: 0.9,
        default: 0.5,
        description:
          "Share of the darkness that the black plate prints, which stays in place and keeps drawings sharp.",
      }),
      seed: Seed("Number that decides which way each plate went."),
    },
    { additionalProperties: false },
  ),
  prepare({ strength, shift, turn, black, seed }, { width, height }) {
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
    return Float32Array.from([strength, black, ...plates]);
  },
  // The cubic reads two pixels further.
  reach: ({ shift, turn }) => Math.ceil(shift + turn) + 2,
  kernel: { run: shiftPlates },
});
