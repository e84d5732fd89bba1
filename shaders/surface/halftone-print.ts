/** The dots of a printed page. */
import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { decodeChannel, type Linear, linearFromHex } from "../lib/colour.ts";
import { Colour, Strength } from "../parameters.ts";
import { defineSurfaceEffect } from "./effect.ts";
import { coverageRanks, screenAt } from "./halftone-screens.ts";

/**
 * `params`: strength, dot gain, edge of a half tone's dot, whether only the black prints (0 or 1);
 * the paper's colour; for each ink, cyan, magenta, yellow, black, its screen (p, q, period; see
 * halftone-screens.ts) and its colour; 256 values of decoded sRGB; 129 ranks of the spot. Colours
 * are linear light.
 *
 * Each pixel's own tone meets the screen's threshold, as in a film recorder, so that detail finer
 * than a dot survives. How much of each ink a colour takes is found so that overprinting dots,
 * which multiply (Demichel, Neugebauer), give its light back on the mean: black first, then ink by
 * ink, twice round (Gauss–Seidel). A dot's edge is a pixel wide; in the lightest and the
 * darkest tones it is narrower, so that white is bare paper and the mean stays.
 */
function printDots(
  this: KernelThis,
  colour: Float32Array,
  firstRow: number,
  width: number,
  // biome-ignore lint/correctness/noUnusedFunctionParameters: all effects are called alike
  height: number,
  params: Float32Array,
  // biome-ignore lint/correctness/noUnusedFunctionParameters: all effects are called alike
  table: Float32Array,
): number {
  const local = Math.floor((this.thread.x + 0.5) / width);
  const x = this.thread.x - local * width;
  const y = local + firstRow;
  const packed = colour[this.thread.x];
  const r = Math.floor(packed / 65536);
  const g = Math.floor(packed / 256) - r * 256;
  const b = packed - r * 65536 - g * 256;
  const lightR = params[31 + r];
  const lightG = params[31 + g];
  const lightB = params[31 + b];

  let cyan = 0;
  let magenta = 0;
  let yellow = 0;
  let black = 1 - 0.2126 * lightR - 0.7152 * lightG - 0.0722 * lightB;
  if (params[3] < 1) {
    const dark = 1 - Math.max(lightR, Math.max(lightG, lightB));
    black = dark * dark;
    const wantedR = lightR / (1 - black * (1 - params[28]));
    const wantedG = lightG / (1 - black * (1 - params[29]));
    const wantedB = lightB / (1 - black * (1 - params[30]));
    for (let round = 0; round < 2; round++) {
      const restR = (1 - magenta * (1 - params[16])) * (1 - yellow * (1 - params[22]));
      cyan = Math.min(Math.max((1 - wantedR / restR) / (1 - params[10]), 0), 1);
      const restG = (1 - cyan * (1 - params[11])) * (1 - yellow * (1 - params[23]));
      magenta = Math.min(Math.max((1 - wantedG / restG) / (1 - params[17]), 0), 1);
      const restB = (1 - cyan * (1 - params[12])) * (1 - magenta * (1 - params[18]));
      yellow = Math.min(Math.max((1 - wantedB / restB) / (1 - params[24]), 0), 1);
    }
  }

  let red = params[4];
  let green = params[5];
  let blue = params[6];
  for (let ink = 0; ink < 4; ink++) {
    const at = 7 + ink * 6;
    const period = params[at + 2];
    const column = x - Math.floor((x + 0.5) / period) * period;
    const row = y - Math.floor((y + 0.5) / period) * period;
    const u = (column * params[at] + row * params[at + 1]) / period;
    const v = (row * params[at] - column * params[at + 1]) / period;
    const p = 1 - 4 * Math.abs(u - Math.floor(u + 0.5));
    const q = 1 - 4 * Math.abs(v - Math.floor(v + 0.5));
    const spot = (2 - p * (2 - Math.abs(p)) - q * (2 - Math.abs(q))) * 32;
    const step = Math.min(Math.floor(spot), 127);
    const rank = params[287 + step];
    const threshold = rank + (params[288 + step] - rank) * (spot - step);

    let tone = black;
    if (ink === 0) {
      tone = cyan;
    } else if (ink === 1) {
      tone = magenta;
    } else if (ink === 2) {
      tone = yellow;
    }
    tone = tone + params[1] * tone * (1 - tone);
    const rarer = Math.max(Math.min(tone, 1 - tone), 0.000001);
    const edge = Math.min(params[2] * Math.sqrt(2 * rarer), 2 * rarer);
    const inked = Math.min(Math.max((tone - threshold) / edge + 0.5, 0), 1);
    red = red * (1 - inked * (1 - params[at + 3]));
    green = green * (1 - inked * (1 - params[at + 4]));
    blue = blue * (1 - inked * (1 - params[at + 5]));
  }

  let out = 0;
  for (let channel = 0; channel < 3; channel++) {
    let before = r;
    let light = red;
    if (channel === 1) {
      before = g;
      light = green;
    } else if (channel === 2) {
      before = b;
      light = blue;
    }
    // The sRGB curve by square roots; see lib/pack.ts.
    const half = Math.sqrt(light);
    const quarter = Math.sqrt(half);
    const eighth = Math.sqrt(quarter);
    const curve =
      0.64296684 * half + 0.71141309 * quarter - 0.3365769 * eighth - 0.01776697 * light;
    const printed = 255 * (light < 0.0031308 ? 12.92 * light : curve);
    out = out * 256 + Math.floor(before + params[0] * (printed - before) + 0.5);
  }
  return out;
}

/** Process inks on white paper and the angles of their screens, in degrees (DIN 16547). */
const PROCESS: readonly { readonly angle: number; readonly ink: Linear }[] = [
  { angle: 15, ink: [0.015, 0.45, 0.88] },
  { angle: 75, ink: [0.82, 0.015, 0.33] },
  { angle: 0, ink: [0.98, 0.86, 0.02] },
  { angle: 45, ink: [0.012, 0.012, 0.012] },
];

/** Thresholds stay clear of 0 and 1, so that bare paper and solid ink have no specks. */
const RANKS = coverageRanks().map((rank) => 0.0005 + 0.999 * rank);

const DECODED = Array.from({ length: 256 }, (_, value) => decodeChannel(value / 255));

export const halftonePrint = defineSurfaceEffect({
  id: "halftone_print",
  title: "Halftone print",
  description:
    "Prints the sheet in screens of dots, in the four process inks or in one of your own; seen from afar the colours stay.",
  params: Type.Object(
    {
      strength: Strength(1, "Share of the print that is laid over the sheet."),
      cell: Type.Number({
        minimum: 2,
        maximum: 64,
        default: 8,
        description: "Distance between neighbouring dots in pixels.",
      }),
      inks: Type.Enum(["process", "single"], {
        default: "process",
        description:
          "`process` prints in cyan, magenta, yellow and black, `single` in the ink named below.",
      }),
      ink: Colour("#1f2a44", "Ink of a print in a single colour."),
      paper: Colour("#ffffff", "Colour of the paper, which also tints the inks."),
      gain: Type.Number({
        minimum: -1,
        maximum: 1,
        default: 0,
        description:
          "How far dots spread in the paper: at 1 half-covered paper prints as three quarters, at −1 as one quarter.",
      }),
      angle: Type.Number({
        minimum: -180,
        maximum: 180,
        default: 0,
        description:
          "Degrees by which all screens are turned clockwise from 15 (cyan), 75 (magenta), 0 (yellow) and 45 (black or single ink).",
      }),
    },
    { additionalProperties: false },
  ),
  prepare({ strength, cell, inks, ink, paper, gain, angle }) {
    const single = inks === "single";
    const plates = PROCESS.flatMap((plate, index) => {
      const { p, q, period } = screenAt(plate.angle + angle, cell);
      return [p, q, period, ...(single && index === 3 ? linearFromHex(ink) : plate.ink)];
    });
    // A dot of tone t has the radius √(t/π) cells; a pixel's width of its rim holds so many tones.
    const edge = Math.sqrt(2 * Math.PI) / cell;
    return Float32Array.from([
      strength,
      gain,
      edge,
      single ? 1 : 0,
      ...linearFromHex(paper),
      ...plates,
      ...DECODED,
      ...RANKS,
    ]);
  },
  kernel: { run: printDots },
});
