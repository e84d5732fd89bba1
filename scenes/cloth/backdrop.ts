/** The pale wall of a studio, and the table before it. */

import { length2, mix, smoothstep } from "../scalars.ts";
import type { Fragment } from "../scene.ts";

/** Linear light. */
export type Colour = readonly [red: number, green: number, blue: number];

export interface BackdropPlan {
  readonly wall: Colour;
  /** First row of pixels of the table; a soft bend joins it to the wall. */
  readonly table?: { readonly colour: Colour; readonly from: number; readonly to: number };
}

/** Paints the backdrop at a pixel, darkened by `shadow`, 0…1. */
export type Backdrop = (x: number, y: number, shadow: number, fragment: Fragment) => void;

/** Creates a backdrop, lit by the lamp from the upper left. */
export function backdropOf({ wall, table }: BackdropPlan): Backdrop {
  return (x, y, shadow, fragment) => {
    const pool = 1.05 - 0.2 * smoothstep(0, 1800, length2(x - 480, 1.1 * (y - 420)));
    const light = pool * (1 - shadow);
    const share = table ? smoothstep(table.from, table.to, y) : 0;
    const ground = table?.colour ?? wall;
    fragment.piece = 0;
    fragment.mask = fragment.u = fragment.v = fragment.shading = fragment.highlight = 0;
    // Shadows are slightly cooler than lit parts.
    fragment.red = mix(wall[0], ground[0], share) * light * (1 - 0.04 * shadow);
    fragment.green = mix(wall[1], ground[1], share) * light;
    fragment.blue = mix(wall[2], ground[2], share) * light * (1 + 0.04 * shadow);
  };
}
