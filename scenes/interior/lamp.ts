/** A table lamp, a shade of linen over a glazed body, and its light on the wall behind it. */
import { noise } from "../noise.ts";
import { clamp, length2, mix, smoothstep } from "../scalars.ts";

/** In units of the picture. */
export interface Lamp {
  readonly x: number;
  /** Where it stands. */
  readonly foot: number;
  /** Rims of the shade, and half their widths. */
  readonly upper: number;
  readonly lower: number;
  readonly narrow: number;
  readonly wide: number;
  /** From its axis to the wall. */
  readonly behind: number;
}

/** Parts of a lamp; 0 is none of it. */
export const LAMP_PART = { none: 0, shade: 1, inside: 2, body: 3, brass: 4 } as const;

/** A point on a lamp. */
export interface Lamplight {
  part: number;
  light: number;
  /** Highlight. */
  gloss: number;
}

/** Height of half a rim to half its width, for an eye above both rims. */
const RIM = { upper: 0.035, lower: 0.075 };

/** The body: half its width and height, the foot below it. */
const BODY = { wide: 58, high: 50, foot: 9 };

/** How far the light spreads as it leaves a rim. */
const SPREAD = 0.62;

/** Returns the light of the lamp on the wall. */
export function lightOfLamp(lamp: Lamp, x: number, y: number): number {
  const across = x - lamp.x;
  const away = length2(across, lamp.behind);
  const above = lamp.upper - y;
  const below = y - lamp.lower;
  // A cone cut by the wall: a hyperbola.
  const cone = (height: number, rim: number) =>
    smoothstep(-24, 90, rim + SPREAD * height - away) /
    (1 + (height * height + across * across) / 280 ** 2);
  const up = above > 0 ? cone(above, lamp.narrow) : 0;
  const down = below > 0 ? cone(below, lamp.wide) : 0;
  const middle = y - (lamp.upper + lamp.lower) / 2;
  const through = 1 / (1 + (across * across + middle * middle) / 190 ** 2);
  return up + 0.8 * down + 0.22 * through;
}

/** Samples a lamp at a point of the picture. */
export function sampleLamp(lamp: Lamp, x: number, y: number, into: Lamplight): void {
  const across = x - lamp.x;
  into.part = LAMP_PART.none;
  into.gloss = 0;
  if (Math.abs(across) > lamp.wide || y < lamp.upper - 10 || y > lamp.foot + 6) return;
  const share = clamp((y - lamp.upper) / (lamp.lower - lamp.upper), 0, 1);
  const at = across / mix(lamp.narrow, lamp.wide, share);
  const bow = Math.sqrt(Math.max(0, 1 - at * at));
  const top = lamp.upper - lamp.narrow * RIM.upper * bow;
  const front = lamp.upper + lamp.narrow * RIM.upper * bow;
  const bottom = lamp.lower + lamp.wide * RIM.lower * bow;
  if (Math.abs(at) < 1 && y > top && y < front) {
    into.part = LAMP_PART.inside;
    into.light = 1.25;
  } else if (Math.abs(at) < 1 && y >= front && y < bottom) {
    const height = (y - front) / (bottom - front);
    const bulb = smoothstep(1.25, 0, length2(0.9 * at, 1.35 * (height - 0.56)));
    const threads = 0.97 + 0.04 * noise(x * 0.9, y * 0.12) + 0.03 * noise(x * 0.1, y * 1.1);
    const hem = Math.min(y - front, bottom - y) < 6 ? 0.86 : 1;
    into.part = LAMP_PART.shade;
    into.light = (0.56 + 0.44 * bulb - 0.14 * at * at) * threads * hem;
  } else if (y >= bottom - 1 || Math.abs(at) >= 1) {
    lookAtBody(lamp, across, y, into);
  }
}

function lookAtBody(lamp: Lamp, across: number, y: number, into: Lamplight): void {
  const middle = lamp.foot - BODY.foot - BODY.high;
  const ax = across / BODY.wide;
  const up = (middle - y) / BODY.high;
  const radius = length2(ax, up);
  // What the shade lets fall onto it.
  const under = smoothstep(-0.4, 1.1, up);
  if (radius < 1) {
    const depth = Math.sqrt(1 - radius * radius);
    const key = Math.max(0, -0.6 * ax + 0.35 * up + 0.6 * depth);
    const turned = 0.5 * smoothstep(0.35, 1, ax);
    into.part = LAMP_PART.body;
    into.light = 0.22 + 0.62 * key + 0.55 * under * under * depth + 0.18 * turned - 0.12 * radius;
    // A window of two panes in the glaze.
    const [wx, wy] = [ax + 0.46 + 0.12 * up, up - 0.34];
    const pane = smoothstep(0.17, 0.13, Math.abs(wx)) * smoothstep(0.25, 0.2, Math.abs(wy));
    into.gloss = 0.34 * pane * smoothstep(0.012, 0.03, Math.abs(wx)) + 0.1 * under ** 6;
    return;
  }
  const collar = y < middle && Math.abs(across) < 13 && y > middle - BODY.high - 10;
  const rod = y < middle && Math.abs(across) < 5;
  const foot = y > middle && Math.abs(across) < 30 && y < lamp.foot + 5 * (1 - (across / 30) ** 2);
  if (!(collar || rod || foot)) return;
  const slim = collar ? 13 : 5;
  const turn = across / (foot ? 30 : slim);
  into.part = LAMP_PART.brass;
  into.light = foot ? 0.5 - 0.25 * turn : 0.85 - 0.4 * Math.abs(turn + 0.25);
  into.gloss = 0.22 * smoothstep(0.3, 0, Math.abs(turn + 0.35));
}
