/** Checks how much of a rosette's surroundings a sheet shows. */
import type { ValidationIssue } from "../errors.ts";
import type { Size } from "../size.ts";
import type { RenderFields } from "./index.ts";

/** Most diameters from a rosette's centre to the farthest corner of a sheet of shape `sheet`. */
const ROSETTE_REACH = 1.25;

/** What is accepted: proofs have whole pixels. */
export const MOST_REACH = 1.05 * ROSETTE_REACH;

/** Returns the diameters from a rosette's centre to the farthest corner of its sheet. */
export function rosetteReach(
  { offset }: Pick<RenderFields, "offset">,
  { width, height }: Size,
  diameter: number,
): number {
  return Math.hypot(width / 2 + Math.abs(offset.x), height / 2 + Math.abs(offset.y)) / diameter;
}

/**
 * Returns what is wrong with the rosette of a sheet.
 * @param path of the field with its diameter
 */
export function rosetteIssues(
  fields: Pick<RenderFields, "offset" | "rosette">,
  sheet: Size,
  diameter: number,
  path: "/cell" | "/cell_mm",
): ValidationIssue[] {
  const reach = rosetteReach(fields, sheet, diameter);
  if (fields.rosette.shape === "disc" || reach <= MOST_REACH) return [];
  const times = Math.ceil((100 * reach) / ROSETTE_REACH) / 100;
  return [
    {
      path,
      message: `the sheet's farthest corner lies ${reach.toFixed(2)} diameters from the rosette's centre, and a sheet shows at most ${ROSETTE_REACH}`,
      expected: `a rosette ${times} times as large, a smaller offset, or rosette.shape "disc"`,
      received: `${reach.toFixed(2)} diameters`,
    },
  ];
}
