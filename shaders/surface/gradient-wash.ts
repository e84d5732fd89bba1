/** A gradient of colours, laid over the sheet like a wash of watercolour. */
import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { linearFromHex, mixed } from "../lib/colour.ts";
import { encodeChannel } from "../lib/pack.ts";
import { randomSequence } from "../lib/random.ts";
import { Colour, Seed, Strength } from "../parameters.ts";
import { defineSurfaceEffect } from "./effect.ts";
import { clouds, nodesOf } from "./soft-field.ts";

/**
 * `params`: strength, blend mode (place in MODES), direction of the gradient as a vector in 1/pixel,
 * flow, granulation, size of a hollow and width of a wrinkle in pixels; 65 colours along the
 * gradient, 0…1 a channel; 36 × 36 nodes of how the wash ran (see soft-field.ts).
 *
 * Water carries pigment: where the wash ran, the gradient is drawn along, and where it stopped to
 * dry, pigment gathers in a wrinkled front that is sharp towards the dry side. It settles in the
 * paper's hollows. All of that only thins the wash, so that its fullest colour is the gradient's.
 * Rounding is dithered, for a gradient over a plain ground is nothing but small steps.
 */
function layWash(
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

  // Four lattices of value noise: two of wrinkles, two of the paper's hollows, turned by the
  // angles of a 3-4-5 triangle.
  let wrinkles = 0;
  let hollows = 0;
  for (let lattice = 0; lattice < 4; lattice++) {
    const finer = lattice === 1 || lattice === 3 ? 2.3 : 1;
    const size = lattice < 2 ? params[7] : params[6];
    const p = ((x * 0.8 + y * 0.6) * finer) / size;
    const q = ((y * 0.8 - x * 0.6) * finer) / size;
    const cell = Math.floor(p);
    const line = Math.floor(q);
    const tx = p - cell;
    const ty = q - line;
    const first = table[cell - Math.floor(cell / 4096) * 4096] + line + lattice * 701;
    const second = table[cell + 1 - Math.floor((cell + 1) / 4096) * 4096] + line + lattice * 701;
    const h00 = table[first - Math.floor(first / 4096) * 4096];
    const h01 = table[first + 1 - Math.floor((first + 1) / 4096) * 4096];
    const h10 = table[second - Math.floor(second / 4096) * 4096];
    const h11 = table[second + 1 - Math.floor((second + 1) / 4096) * 4096];
    const fx = tx * tx * (3 - 2 * tx);
    const fy = ty * ty * (3 - 2 * ty);
    const begin = h00 + (h10 - h00) * fx;
    const end = h01 + (h11 - h01) * fx;
    const noise = (begin + (end - begin) * fy) / 4095;
    wrinkles += lattice < 2 ? noise / finer : 0;
    hollows += lattice < 2 ? 0 : noise / (finer + 1);
  }

  const u = 1 + (33 * (x + 0.5)) / width;
  const v = 1 + (33 * (y + 0.5)) / height;
  const column = Math.floor(u + 0.5);
  const row = Math.floor(v + 0.5);
  const dx = u - column;
  const dy = v - row;
  const left = 0.5 * (0.5 - dx) * (0.5 - dx);
  const right = 0.5 * (0.5 + dx) * (0.5 + dx);
  const middle = 1 - left - right;
  const node = 203 + row * 36 + column;
  const above = params[node - 37] * left + params[node - 36] * middle + params[node - 35] * right;
  const here = params[node - 1] * left + params[node] * middle + params[node + 1] * right;
  const below = params[node + 35] * left + params[node + 36] * middle + params[node + 37] * right;
  const upper = 0.5 * (0.5 - dy) * (0.5 - dy);
  const lower = 0.5 * (0.5 + dy) * (0.5 + dy);
  const run = above * upper + here * (1 - upper - lower) + below * lower;

  // From one front to the next: densest just behind the front, thinner and thinner inwards.
  let stage = run * 4 + wrinkles * 0.22;
  stage = stage - Math.floor(stage);
  const rise = Math.min(stage / 0.045, 1);
  const behind = 1 - stage;
  const pigment = rise * rise * (3 - 2 * rise) * behind * behind * behind;
  const thinned = params[4] * (0.38 * (1 - pigment) + 0.22 * (1 - run));
  const settled = params[5] * 0.75 * Math.max(1 - 1.25 * hollows, 0);
  const amount = params[0] * (1 - thinned) * (1 - settled);

  const along = (x + 0.5 - width * 0.5) * params[2] + (y + 0.5 - height * 0.5) * params[3] + 0.5;
  const place = Math.min(Math.max(along + params[4] * 0.5 * (run - 0.5), 0), 1) * 64;
  const stop = Math.min(Math.floor(place), 63);
  const share = place - stop;
  const mode = params[1];
  const seat = table[x - Math.floor(x / 4096) * 4096] + y;
  let rest = colour[this.thread.x];
  let out = 0;
  let unit = 65536;
  for (let channel = 0; channel < 3; channel++) {
    const value = Math.floor(rest / unit);
    rest = rest - value * unit;
    unit = unit / 256;
    const base = value / 255;
    const at = 8 + stop * 3 + channel;
    const wash = params[at] + (params[at + 3] - params[at]) * share;
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
    const other = seat + channel * 1357;
    const dither = table[other - Math.floor(other / 4096) * 4096];
    out = out * 256 + Math.floor(value + 255 * amount * (blended - base) + (dither + 0.5) / 4096);
  }
  return out;
}

/** Blend modes by the number that the kernel knows them by (W3C Compositing and Blending). */
const MODES = ["multiply", "screen", "overlay", "soft_light"] as const;

export const gradientWash = defineSurfaceEffect({
  id: "gradient_wash",
  title: "Gradient wash",
  description:
    "Lays a gradient of two or three colours over the sheet, with the fronts and the granulation of a watercolour wash.",
  params: Type.Object(
    {
      strength: Strength(0.8, "How strongly the wash covers the sheet where it is fullest."),
      first: Colour("#2f6f9f", "Colour that the gradient begins with."),
      middle: Colour("#e7b9a8", "Colour halfway; with two colours it is not used."),
      last: Colour("#d9823b", "Colour that the gradient ends with."),
      colours: Type.Integer({
        minimum: 2,
        maximum: 3,
        default: 3,
        description:
          "Number of colours: 2 leads from the first to the last, 3 by way of the middle.",
      }),
      angle: Type.Number({
        minimum: -180,
        maximum: 180,
        default: 60,
        description:
          "Direction of the gradient in degrees, clockwise: 0 leads from left to right, 90 from top to bottom.",
      }),
      mode: Type.Enum([...MODES], {
        default: "multiply",
        description:
          "How the wash meets the sheet: `multiply` darkens, `screen` lightens, `overlay` and `soft_light` do both.",
      }),
      flow: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description: "How much the wash ran and dried in fronts; 0 is an even gradient.",
      }),
      granulation: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.4,
        description: "How much of the pigment settled in the paper's hollows.",
      }),
      size: Type.Number({
        minimum: 1,
        maximum: 64,
        default: 5,
        description: "Size of the paper's hollows in pixels.",
      }),
      seed: Seed("Number that decides how the wash ran."),
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
    return Float32Array.from([
      strength,
      MODES.indexOf(mode),
      across / length,
      down / length,
      flow,
      granulation,
      size,
      wrinkle,
      ...rampOf(names),
      ...nodesOf(sheet, run),
    ]);
  },
  kernel: { run: layWash },
});

/** 65 colours along a gradient, mixed in OKLab and encoded, 0…1 a channel. */
function rampOf(names: readonly string[]): number[] {
  const stops = names.map(linearFromHex);
  return Array.from({ length: 65 }, (_, index) => {
    const place = (index / 64) * (stops.length - 1);
    const stop = Math.min(Math.floor(place), stops.length - 2);
    const [from, to] = stops.slice(stop, stop + 2);
    if (from === undefined || to === undefined) throw new Error("a gradient has two colours");
    return mixed(from, to, place - stop).map((light) => encodeChannel(light) / 255);
  }).flat();
}
