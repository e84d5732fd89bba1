/** Lines of a tote bag in millimetres: x right of its middle, y below its upper edge. */
import { curveThrough, type Point } from "../curve.ts";

/** The front as cut: the printed size. */
export const PANEL = { width: 380, height: 420 } as const;

/** Sewn ends of the handles: position on the cloth, position in space, angle. */
export const HANDLE_ENDS = [
  { u: -78, x: -70, y: 0, lean: -0.05 },
  { u: 78, x: 71, y: 2, lean: 0.06 },
] as const;

/** The peg on which the bag hangs. */
export const PEG = { x: 1, y: -196, radius: 15 } as const;

const curve = (points: readonly (readonly [number, number])[]): Point[] =>
  curveThrough(
    points.map(([x, y]) => ({ x, y })),
    false,
  );

/** The middle of the handle in front, from its left end over the peg to its right end. */
export const FRONT_HANDLE = curve([
  [-72, 36],
  [-70, 0],
  [-62, -52],
  [-47, -112],
  [-30, -168],
  [-18, -200],
  [1, -213],
  [20, -200],
  [33, -166],
  [49, -110],
  [63, -50],
  [71, 2],
  [73, 38],
]);

/** The one behind it, which hangs a little lower on the right. */
export const BACK_HANDLE = curve([
  [-58, 30],
  [-56, -10],
  [-50, -60],
  [-38, -120],
  [-24, -176],
  [-14, -202],
  [1, -211],
  [15, -202],
  [27, -172],
  [44, -114],
  [58, -54],
  [66, -8],
  [68, 30],
]);

/** The upper edge of the back, a little of which shows behind the front, between its corners. */
export const BACK_EDGE: readonly Point[] = [
  [-150, 3],
  [-112, -2],
  [-62, -6],
  [-25, 0],
  [5, 3],
  [30, 0],
  [68, -5],
  [115, -1],
  [152, 5],
].map(([x, y]) => ({ x, y }));

/** Length of the handles' sewn ends. */
export const HANDLE_DOWN = 36;

/** Stitches that hold a handle: a box with a cross. */
export const HANDLE_STITCHES: readonly (readonly Point[])[] = HANDLE_ENDS.flatMap(
  ({ x, y, lean }) => {
    const at = (s: number, t: number): Point => ({ x: x + lean * t + 9 * s, y: y + t });
    const [a, b, c, d] = [at(-1, 8), at(1, 8), at(1, 32), at(-1, 32)];
    return [
      [a, b, c, d, a],
      [a, c],
      [b, d],
    ];
  },
);
