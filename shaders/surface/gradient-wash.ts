/** A gradient of colours over the sheet, like a watercolour wash. */

import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { linearFromHex, mixed } from "../lib/colour.ts";
import { float32sOf, layout, type RecordOf, XY } from "../lib/layout.ts";
import { entryOf, smooth, valueNoise } from "../lib/noise.ts";
import { encodeChannel } from "../lib/pack.ts";
import { pixelAt, saturate } from "../lib/paint.ts";
import { randomSequence } from "../lib/random.ts";
import { stages } from "../lib/stages.ts";
import { Colour, Seed, Strength } from "../parameters.ts";
import { defineSurfaceEffect } from "./effect.ts";
import { clouds, FIELD_NODES, fieldAt, fieldLiterals, nodesOf } from "./soft-field.ts";

/** Colours along the gradient, the first and the last among them. */
const STOPS = 65;

const PARAMS = layout({
  strength: 1,
  /** Place in MODES. */
  mode: 1,
  /** Direction of the gradient in 1/pixel. */
  direction: XY,
  flow: 1,
  granulation: 1,
  /** Size of a hollow of the paper in pixels. */
  size: 1,
  /** Width of a wrinkle in pixels. */
  wrinkle: 1,
  /** 0…1 a channel. */
  stops: 3 * STOPS,
  /** How the wash ran, see soft-field.ts. */
  nodes: FIELD_NODES,
});
type Params = RecordOf<typeof PARAMS>;

/** Value noise 0…1 on a lattice turned by the angle of a 3-4-5 triangle. */
function turnedNoise(
  table: Float32Array,
  x: number,
  y: number,
  finer: number,
  size: number,
  offset: number,
): number {
  const u = ((x * 0.8 + y * 0.6) * finer) / size;
  const v = ((y * 0.8 - x * 0.6) * finer) / size;
  return valueNoise(table, u, v, 4096, offset) / 4095;
}

/**
 * How much of the gradient's colour lies at a pixel, where the wash ran `run`. From one front to the
 * next: densest just behind the front, where pigment gathers as the wash stops to dry, and thinner and
 * thinner inwards. It settles in the paper's hollows. All of that only thins the wash, so that its
 * fullest colour is the gradient's.
 */
function amountAt(x: number, y: number, run: number, params: Params, table: Float32Array): number {
  const { size, wrinkle } = params;
  const wrinkles =
    turnedNoise(table, x, y, 1, wrinkle, 0) + turnedNoise(table, x, y, 2.3, wrinkle, 701) / 2.3;
  const hollows =
    turnedNoise(table, x, y, 1, size, 1402) / 2 + turnedNoise(table, x, y, 2.3, size, 2103) / 3.3;
  const fronts = run * 4 + wrinkles * 0.22;
  const stage = fronts - Math.floor(fronts);
  const behind = 1 - stage;
  const pigment = smooth(Math.min(stage / 0.045, 1)) * behind * behind * behind;
  const thinned = params.flow * (0.38 * (1 - pigment) + 0.22 * (1 - run));
  const settled = params.granulation * 0.75 * Math.max(1 - 1.25 * hollows, 0);
  return params.strength * (1 - thinned) * (1 - settled);
}

/** W3C Compositing and Blending; channels 0…1, encoded. */
function blendOf(mode: number, base: number, wash: number): number {
  let blended = base * wash;
  if (mode === 1) {
    blended = base + wash - base * wash;
  } else if (mode === 2) {
    blended = base < 0.5 ? 2 * base * wash : 1 - 2 * (1 - base) * (1 - wash);
  } else if (mode === 3) {
    const lighter = base < 0.25 ? ((16 * base - 12) * base + 4) * base : Math.sqrt(base);
    blended =
      wash < 0.5
        ? base - (1 - 2 * wash) * base * (1 - base)
        : base + (2 * wash - 1) * (lighter - base);
  }
  return blended;
}

/**
 * Water carries pigment, so the gradient shifts where the wash ran. Rounding is dithered, because a
 * gradient over a plain ground would show steps.
 */
function layWash(
  this: KernelThis,
  colour: Float32Array,
  firstRow: number,
  width: number,
  height: number,
  params: Params,
  table: Float32Array,
): number {
  const { row, column: x } = pixelAt(this.thread.x, width);
  const y = row + firstRow;
  const run = fieldAt(params.nodes, x, y, width, height);
  const amount = amountAt(x, y, run, params, table);
  const across = (x + 0.5 - width * 0.5) * params.direction.x;
  const along = across + (y + 0.5 - height * 0.5) * params.direction.y + 0.5;
  const place = saturate(along + params.flow * 0.5 * (run - 0.5)) * (STOPS - 1);
  const stop = Math.min(Math.floor(place), STOPS - 2);
  const share = place - stop;
  const seat = entryOf(table, x) + y;
  let rest = colour[this.thread.x];
  let out = 0;
  let unit = 65536;
  for (let channel = 0; channel < 3; channel++) {
    const value = Math.floor(rest / unit);
    rest = rest - value * unit;
    unit = unit / 256;
    const base = value / 255;
    const from = params.stops[stop * 3 + channel];
    const wash = from + (params.stops[stop * 3 + channel + 3] - from) * share;
    const change = blendOf(params.mode, base, wash) - base;
    const dither = entryOf(table, seat + channel * 1357);
    out = out * 256 + Math.floor(value + 255 * amount * change + (dither + 0.5) / 4096);
  }
  return out;
}

/** Blend modes by the number that the kernel knows them by. */
const MODES = ["multiply", "screen", "overlay", "soft_light"] as const;

export const gradientWash = defineSurfaceEffect({
  id: "gradient_wash",
  title: "Gradient wash",
  description:
    "Covers the sheet with a gradient of two or three colours, with the fronts and granulation of a watercolour wash.",
  params: Type.Object(
    {
      strength: Strength(0.8, "Opacity of the wash where it is strongest."),
      first: Colour("#2f6f9f", "First colour of the gradient."),
      middle: Colour("#e7b9a8", "Colour in the middle; not used with two colours."),
      last: Colour("#d9823b", "Last colour of the gradient."),
      colours: Type.Integer({
        minimum: 2,
        maximum: 3,
        default: 3,
        description: "Number of colours: 2 for first and last, 3 with the middle one.",
      }),
      angle: Type.Number({
        minimum: -180,
        maximum: 180,
        default: 60,
        description:
          "Direction of the gradient in degrees, clockwise: 0 is left to right, 90 top to bottom.",
      }),
      mode: Type.Enum([...MODES], {
        default: "multiply",
        description:
          "Blend mode of the wash: `multiply` darkens, `screen` lightens, `overlay` and `soft_light` do both.",
      }),
      flow: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description: "Amount of flow and drying fronts; 0 is an even gradient.",
      }),
      granulation: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.4,
        description: "Granulation: share of the pigment that settles in the paper's hollows.",
      }),
      size: Type.Number({
        minimum: 0.1,
        maximum: 5,
        default: 0.4,
        description: "Size of the paper's hollows in millimetres.",
      }),
      seed: Seed("Seed of the flow."),
    },
    { additionalProperties: false },
  ),
  prepare({ strength, mode, angle, flow, granulation, size, seed, ...given }, sheet) {
    const turn = (angle * Math.PI) / 180;
    const [across, down] = [Math.cos(turn), Math.sin(turn)];
    // The gradient's ends lie in corners, as they do in CSS.
    const length = sheet.width * Math.abs(across) + sheet.height * Math.abs(down);
    const run = clouds(randomSequence(seed, 0x3a54), 2.2);
    const wrinkle = Math.max(4, Math.min(sheet.width, sheet.height) / 14);
    const names =
      given.colours === 2 ? [given.first, given.last] : [given.first, given.middle, given.last];
    const record = {
      strength,
      mode: MODES.indexOf(mode),
      direction: [across / length, down / length],
      flow,
      granulation,
      size: size * sheet.pixelsPerMillimetre,
      wrinkle,
      stops: stopsOf(names),
      nodes: nodesOf(sheet, run),
    };
    return float32sOf(record, PARAMS);
  },
  detail: ({ granulation, size }) => (granulation === 0 ? Infinity : size / 2.3),
  kernel: {
    run: layWash,
    helpers: [amountAt, turnedNoise, blendOf, fieldAt, ...stages],
    records: { params: PARAMS },
    literals: { STOPS, ...fieldLiterals },
  },
});

/** Colours along a gradient, mixed in OKLab and encoded, 0…1 a channel. */
function stopsOf(names: readonly string[]): number[] {
  const stops = names.map(linearFromHex);
  return Array.from({ length: STOPS }, (_, index) => {
    const place = (index / (STOPS - 1)) * (stops.length - 1);
    const stop = Math.min(Math.floor(place), stops.length - 2);
    const [from, to] = stops.slice(stop, stop + 2);
    if (from === undefined || to === undefined) throw new Error("a gradient has two colours");
    return mixed(from, to, place - stop).map((light) => encodeChannel(light) / 255);
  }).flat();
}
