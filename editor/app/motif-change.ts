/** Changes of the motif, kept within what the service takes. */
import type { Design } from "../../engine/core.ts";
import { changeDesign } from "./history.ts";

type Motif = Design["motif"];

const SCALES = { least: 0.05, most: 20 } as const;

/** Moves, turns or scales the motif as a part of one gesture. */
export function changeMotif(motif: Motif): void {
  const share = (value: number) => rounded(Math.min(Math.max(value, 0), 1), 4);
  changeDesign({ motif: { ...motif, x: share(motif.x), y: share(motif.y) } }, "motif");
}

/** Returns the scale of a motif that is so many times as large. */
export const scaleBy = ({ scale }: Motif, factor: number) => ({
  scale: rounded(Math.min(Math.max(scale * factor, SCALES.least), SCALES.most), 4),
});

/** Returns the rotation, from −180° to 180°, after the outline is turned clockwise on the picture. */
export const turnBy = ({ rotation }: Motif, degrees: number) => ({
  rotation: rounded(((((rotation - degrees + 180) % 360) + 360) % 360) - 180, 2),
});

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));
