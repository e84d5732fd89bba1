/** Half outlines of motifs, mirrored left to right by the kernel. */
import { keysOf } from "../../lib/keys-of.ts";

/** Half width (0…1) at a height from −1 (top) to 1 (bottom). */
type Outline = (t: number) => number;

/** Half outline through points [t, half width] that are joined by straight lines. */
const through =
  (...points: readonly (readonly [number, number])[]): Outline =>
  (t) => {
    const next = points.findIndex(([at]) => at >= t);
    const [t1, w1] = points[next < 0 ? points.length - 1 : next];
    const [t0, w0] = points[Math.max((next < 0 ? points.length : next) - 1, 0)];
    return t1 === t0 ? w1 : w0 + ((w1 - w0) * (t - t0)) / (t1 - t0);
  };

/** Steps as a resist that is bound thread group by thread group makes them. */
const stepped =
  (steps: number): Outline =>
  (t) =>
    Math.ceil((1 - Math.abs(t)) * steps) / steps;

const OUTLINES = {
  /** Inside of motifs that are filled. */
  none: () => -9,
  band: () => 1,
  lozenge: (t) => 1 - Math.abs(t),
  serrated(t) {
    const teeth = Math.abs(t) * 7;
    return 1 - Math.abs(t) - 0.13 * (teeth - Math.floor(teeth)) + 0.04;
  },
  steps: stepped(5),
  fineSteps: stepped(9),
  ogee: (t) => (0.5 + 0.5 * Math.cos(Math.PI * t)) ** 0.85,
  almond: (t) => 1 - t * t,
  disc: (t) => Math.sqrt(1 - t * t),
  hexagon: (t) => Math.min(1, 2.2 * (1 - Math.abs(t))),
  star: (t) => Math.max(1 - Math.abs(t), Math.abs(t) < 0.7 ? 0.7 : 0),
  cross: (t) => (Math.abs(t) < 0.3 ? 1 : 0.3),
  hourglass: (t) => 0.12 + 0.88 * Math.abs(t),
  /** A drop that hangs: pointed above, round below. */
  drop: through(
    [-1, 0],
    [-0.6, 0.13],
    [-0.2, 0.45],
    [0.2, 0.85],
    [0.5, 1],
    [0.75, 0.88],
    [0.92, 0.5],
    [1, 0],
  ),
  tulip: through(
    [-1, 0.85],
    [-0.8, 0.62],
    [-0.72, 0.5],
    [-0.4, 0.85],
    [0, 1],
    [0.4, 0.85],
    [0.75, 0.45],
    [1, 0.08],
  ),
  pomegranate: through(
    [-1, 0.5],
    [-0.82, 0.22],
    [-0.7, 0.2],
    [-0.55, 0.62],
    [-0.2, 0.95],
    [0.1, 1],
    [0.5, 0.8],
    [0.8, 0.4],
    [1, 0],
  ),
  /** Outer and inner rim of a pair of horns, open below. */
  horn: through([-1, 0], [-0.9, 0.45], [-0.6, 0.8], [-0.2, 0.97], [0.3, 1], [0.7, 0.92], [1, 0.8]),
  hornInside: through([-1, -1], [-0.65, -0.2], [-0.5, 0.3], [0, 0.65], [0.5, 0.72], [1, 0.76]),
  /** Teeth of a comb to either side. */
  comb(t) {
    const tooth = (t + 1) * 1.8;
    return tooth - Math.floor(tooth) < 0.6 ? 1 : 0.2;
  },
} satisfies Record<string, Outline>;

export type OutlineName = keyof typeof OUTLINES;

const NAMES = keysOf(OUTLINES);

/** Row of an outline in the table. */
export const rowOf = (name: OutlineName) => NAMES.indexOf(name);

/** Heights at which an outline is given, from −1 to 1. */
export const SAMPLES = 65;

/** One row of numbers an outline. */
export function outlineTable(): Float32Array {
  return Float32Array.from(
    NAMES.flatMap((name) =>
      Array.from({ length: SAMPLES }, (_, sample) => OUTLINES[name]((sample - 32) / 32)),
    ),
  );
}
