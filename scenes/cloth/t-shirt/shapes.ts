/** Lines of a T-shirt on the body, in millimetres: x right of its middle, y below the neck's sides. */
import { curveThrough, type Point } from "../curve.ts";

/** The front's width and height as cut: the maximum printed size. */
export const FRONT = { width: 518, height: 720 } as const;

/** A sleeve's width and length as cut. */
export const SLEEVE = { width: 216, height: 292 } as const;

const right = (points: readonly (readonly [number, number])[]): Point[] =>
  points.map(([x, y]) => ({ x, y }));

/** Returns a line mirrored and reversed. */
export const mirrored = (points: readonly Point[]): Point[] =>
  points.map(({ x, y }) => ({ x: -x, y })).reverse();

/** Returns a symmetric line from its right half, which ends in the middle. */
const whole = (half: readonly Point[]): Point[] => [...half, ...mirrored(half).slice(1)];

/** The collar's seam, from the right shoulder to the left. */
export const COLLAR_SEAM = curveThrough(
  whole(
    right([
      [99, 15],
      [93, 42],
      [72, 78],
      [40, 103],
      [0, 112],
    ]),
  ),
  false,
);

/** The collar's free edge in front. */
export const COLLAR_EDGE = curveThrough(
  whole(
    right([
      [79, 3],
      [74, 34],
      [56, 64],
      [31, 84],
      [0, 91],
    ]),
  ),
  false,
);

/** The collar's free edge behind. */
export const BACK_EDGE = curveThrough(
  whole(
    right([
      [79, 3],
      [57, 5],
      [29, 8],
      [0, 9.5],
    ]),
  ),
  false,
);

/** The same, continued over the shoulders. */
export const BACK_LINE: readonly Point[] = [{ x: 170, y: -8 }, ...BACK_EDGE, { x: -170, y: -8 }];

/** From the collar over the shoulder and along the armhole to the side seam. */
export const SHOULDER = curveThrough(
  right([
    [98, 14],
    [150, 27],
    [205, 42],
    [236, 58],
    [231, 88],
    [216, 140],
    [212, 190],
    [219, 228],
    [233, 250],
  ]),
  false,
);

/** The upper edge of the right sleeve, from under the front to where it hangs straight. */
export const SLEEVE_CAP = right([
  [196, 62],
  [228, 54],
  [251, 64],
  [270, 85],
]);

/** Rows of the front above this hang on the armhole. */
export const ARMPIT = 254;
