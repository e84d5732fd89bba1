import type { Design } from "../../engine/core.ts";
import { GROUPS } from "../shared/groups.ts";
import { changeDesign, draft } from "./history.ts";
import { PLAIN } from "./symmetry.tsx";
import { palettes } from "./workspace.ts";

/** Draws another symmetry, motif and palette, in one step. */
export const surprise = () => changeDesign(variation());

/** Returns another symmetry, motif and palette. */
export function variation() {
  return {
    group: drawn(GROUPS),
    ...PLAIN,
    motif: {
      ...draft.value.design.motif,
      x: between(0.2, 0.8),
      y: between(0.2, 0.8),
      scale: between(0.8, 2.5),
      rotation: Math.round(between(-180, 180)),
    },
    palette: drawn<Design["palette"]>([null, ...palettes.value.map(({ name }) => name)]),
  } satisfies Partial<Design>;
}

const drawn = <Value>(values: readonly Value[]) =>
  values[Math.floor(Math.random() * values.length)];

const between = (least: number, most: number) =>
  Number((least + (most - least) * Math.random()).toFixed(3));
