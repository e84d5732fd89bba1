/** Checks the strip of a frieze. */
import type { ValidationIssue } from "../errors.ts";
import type { Size } from "../size.ts";
import { FRIEZE_NAMES, type Frieze } from "./index.ts";

/** Least and most length of a frieze's repeat, as a multiple of the strip's height. */
const FRIEZE_SHAPES = { minimum: 0.25, maximum: 8 };

/** Least pixels of a frieze's repeat. */
export const FRIEZE_PIXELS = 8;

/** Error of lengths that were scaled or converted from millimetres, in repeats. */
const ROUNDING = 1e-6;

/** Returns what is wrong with the frieze of a sheet in pixels. */
export function friezeIssues(frieze: Frieze | undefined, sheet: Size): ValidationIssue[] {
  if (frieze === undefined) {
    const expected = `an object with a group: ${FRIEZE_NAMES.join(", ")}`;
    return [
      { path: "/frieze", message: 'mode "frieze" needs frieze', expected, received: "nothing" },
    ];
  }
  const { repeats, length = sheet.width, height = sheet.height } = frieze;
  const { minimum, maximum } = FRIEZE_SHAPES;
  const least = Math.max(1, Math.ceil(length / height / maximum - ROUNDING));
  const most = Math.floor(length / Math.max(height * minimum, FRIEZE_PIXELS) + ROUNDING);
  if (repeats >= least && repeats <= most) return [];
  const toHundredths = (value: number) => String(Math.round(value * 100) / 100);
  return [
    {
      path: "/frieze/repeats",
      message: `one of ${repeats} repeats of a strip of ${toHundredths(length)} × ${toHundredths(height)} pixels is ${toHundredths(length / repeats)} pixels long; it must be ${minimum} to ${maximum} times as long as high, and ${FRIEZE_PIXELS} pixels or more`,
      expected: least <= most ? `${least} to ${most}` : "a strip of another shape",
      received: String(repeats),
    },
  ];
}
