/** Halftone dots of process printing. */

import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { decodeChannel, type Linear, linearFromHex } from "../lib/colour.ts";
import { float32sOf, layout, type RecordOf, RGB, type Rgb } from "../lib/layout.ts";
import { encodeRgb, packRounded, unpack } from "../lib/pack.ts";
import { lit, mix, nearest, pixelAt, saturate } from "../lib/paint.ts";
import { stages } from "../lib/stages.ts";
import { Colour, Strength } from "../parameters.ts";
import { defineSurfaceEffect } from "./effect.ts";
import { coverageRanks, screenAt } from "./halftone-screens.ts";

/** Steps of the spot's ranks. */
const SPOT_STEPS = 128;

const PLATE = layout({
  /** The screen, see halftone-screens.ts. */
  p: 1,
  q: 1,
  period: 1,
  ink: RGB,
});
type Plate = RecordOf<typeof PLATE>;

/** Colours are linear light. */
const PARAMS = layout({
  strength: 1,
  gain: 1,
  /** Width of a dot's edge, as a difference of tones for a half tone. */
  edge: 1,
  /** 1 where only the black prints. */
  single: 1,
  paper: RGB,
  /** Cyan, magenta, yellow and black. */
  plates: [PLATE, 4],
  /** Linear light of the bytes. */
  decoded: 256,
  /** Share of a cell that the spot covers from each threshold on. */
  ranks: SPOT_STEPS + 1,
});
type Params = RecordOf<typeof PARAMS>;

/**
 * Separates a colour into inks: overprinting dots, which multiply (Demichel, Neugebauer), have
 * its light in the mean. Black first, then ink by ink, in two rounds (Gauss–Seidel).
 */
function tonesOf(
  light: Rgb,
  params: Params,
): {
  readonly cyan: number;
  readonly magenta: number;
  readonly yellow: number;
  readonly black: number;
} {
  const { ink: c } = params.plates[0];
  const { ink: m } = params.plates[1];
  const { ink: y } = params.plates[2];
  const { ink: k } = params.plates[3];
  let cyan = 0;
  let magenta = 0;
  let yellow = 0;
  let black = 1 - 0.2126 * light.red - 0.7152 * light.green - 0.0722 * light.blue;
  if (params.single < 1) {
    const dark = 1 - Math.max(light.red, Math.max(light.green, light.blue));
    black = dark * dark;
    const wantedRed = light.red / (1 - black * (1 - k.red));
    const wantedGreen = light.green / (1 - black * (1 - k.green));
    const wantedBlue = light.blue / (1 - black * (1 - k.blue));
    for (let round = 0; round < 2; round++) {
      const restRed = (1 - magenta * (1 - m.red)) * (1 - yellow * (1 - y.red));
      cyan = saturate((1 - wantedRed / restRed) / (1 - c.red));
      const restGreen = (1 - cyan * (1 - c.green)) * (1 - yellow * (1 - y.green));
      magenta = saturate((1 - wantedGreen / restGreen) / (1 - m.green));
      const restBlue = (1 - cyan * (1 - c.blue)) * (1 - magenta * (1 - m.blue));
      yellow = saturate((1 - wantedBlue / restBlue) / (1 - y.blue));
    }
  }
  return { cyan, magenta, yellow, black };
}

/** Returns the threshold tone above which a plate's screen prints at a pixel. */
function thresholdAt(x: number, y: number, plate: Plate, ranks: readonly number[]): number {
  const u = ((x + 0.5) * plate.p + (y + 0.5) * plate.q) / plate.period;
  const v = ((y + 0.5) * plate.p - (x + 0.5) * plate.q) / plate.period;
  const p = 1 - 4 * Math.abs(nearest(u));
  const q = 1 - 4 * Math.abs(nearest(v));
  const spot = (2 - p * (2 - Math.abs(p)) - q * (2 - Math.abs(q))) * 32;
  const step = Math.min(Math.floor(spot), SPOT_STEPS - 1);
  return ranks[step] + (ranks[step + 1] - ranks[step]) * (spot - step);
}

/**
 * A sheet after one more plate. Each pixel's own tone meets the screen's threshold, as in a film
 * recorder, so that detail finer than a dot survives. A dot's edge is a pixel wide; in the lightest and
 * the darkest tones it is narrower, so that white is bare paper and the mean stays.
 */
function printed(
  sheet: Rgb,
  x: number,
  y: number,
  tone: number,
  plate: Plate,
  params: Params,
): Rgb {
  const threshold = thresholdAt(x, y, plate, params.ranks);
  const spread = tone + params.gain * tone * (1 - tone);
  const rarer = Math.max(Math.min(spread, 1 - spread), 0.000001);
  const edge = Math.min(params.edge * Math.sqrt(2 * rarer), 2 * rarer);
  const inked = saturate((spread - threshold) / edge + 0.5);
  return {
    red: sheet.red * (1 - inked * (1 - plate.ink.red)),
    green: sheet.green * (1 - inked * (1 - plate.ink.green)),
    blue: sheet.blue * (1 - inked * (1 - plate.ink.blue)),
  };
}

function printDots(
  this: KernelThis,
  colour: Float32Array,
  firstRow: number,
  width: number,
  // biome-ignore lint/correctness/noUnusedFunctionParameters: all effects are called alike
  height: number,
  params: Params,
  // biome-ignore lint/correctness/noUnusedFunctionParameters: all effects are called alike
  table: Float32Array,
): number {
  const { row, column: x } = pixelAt(this.thread.x, width);
  const y = row + firstRow;
  const before = unpack(colour[this.thread.x]);
  const light = {
    red: params.decoded[before.red],
    green: params.decoded[before.green],
    blue: params.decoded[before.blue],
  };
  const { cyan, magenta, yellow, black } = tonesOf(light, params);
  let sheet: Rgb = params.paper;
  sheet = printed(sheet, x, y, cyan, params.plates[0], params);
  sheet = printed(sheet, x, y, magenta, params.plates[1], params);
  sheet = printed(sheet, x, y, yellow, params.plates[2], params);
  sheet = printed(sheet, x, y, black, params.plates[3], params);
  const { red, green, blue } = mix(before, lit(encodeRgb(sheet), 255), params.strength);
  return packRounded(red, green, blue);
}

/** Process inks on white paper and the angles of their screens, in degrees (DIN 16547). */
const PROCESS: readonly { readonly angle: number; readonly ink: Linear }[] = [
  { angle: 15, ink: [0.015, 0.45, 0.88] },
  { angle: 75, ink: [0.82, 0.015, 0.33] },
  { angle: 0, ink: [0.98, 0.86, 0.02] },
  { angle: 45, ink: [0.012, 0.012, 0.012] },
];

/** Thresholds of the dots, made with the first print. */
let ranks: readonly number[] | undefined;

const DECODED = Array.from({ length: 256 }, (_, value) => decodeChannel(value / 255));

export const halftonePrint = defineSurfaceEffect({
  id: "halftone_print",
  title: "Halftone print",
  description:
    "Prints the sheet as halftone dots, in the four process inks or in one ink of choice; mean colours are kept.",
  params: Type.Object(
    {
      strength: Strength(1, "Opacity of the print over the sheet."),
      cell: Type.Number({
        minimum: 0.1,
        maximum: 6,
        default: 0.7,
        description: "Distance between neighbouring dots in millimetres.",
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
          "Dot gain: at 1 half-covered paper prints as three quarters, at −1 as one quarter.",
      }),
      angle: Type.Number({
        minimum: -180,
        maximum: 180,
        default: 0,
        description:
          "Clockwise rotation of all screens in degrees, from 15 (cyan), 75 (magenta), 0 (yellow) and 45 (black or single ink).",
      }),
    },
    { additionalProperties: false },
  ),
  prepare({ strength, inks, ink, paper, gain, angle, ...given }, { pixelsPerMillimetre }) {
    const cell = Math.max(given.cell * pixelsPerMillimetre, 2);
    const single = inks === "single";
    const plates = PROCESS.flatMap((plate, index) => {
      const { p, q, period } = screenAt(plate.angle + angle, cell);
      return [p, q, period, ...(single && index === 3 ? linearFromHex(ink) : plate.ink)];
    });
    // A dot of tone t has the radius √(t/π) cells; a pixel's width of its rim holds so many tones.
    const edge = Math.sqrt(2 * Math.PI) / cell;
    // Thresholds stay clear of 0 and 1, so that bare paper and solid ink have no specks.
    ranks ??= coverageRanks().map((rank) => 0.0005 + 0.999 * rank);
    const record = {
      strength,
      gain,
      edge,
      single: single ? 1 : 0,
      paper: linearFromHex(paper),
      plates,
      decoded: DECODED,
      ranks,
    };
    return float32sOf(record, PARAMS);
  },
  detail: ({ cell }) => cell / 4.5,
  kernel: {
    run: printDots,
    helpers: [tonesOf, thresholdAt, printed, ...stages],
    records: { params: PARAMS },
    literals: { SPOT_STEPS },
  },
});
