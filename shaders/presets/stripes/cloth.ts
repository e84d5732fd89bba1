/** The cloth or paper of stripes, and the bends of their axis. */
import type { Linear } from "../../lib/colour.ts";
import { layout, numbersOf, type RecordOf, RGB, XY } from "../../lib/layout.ts";
import { type Random, whole } from "../../lib/random.ts";

/** Numbers that the kernel paints with; lengths in edges of the picture. */
export interface Cloth {
  /** Whole steps across and down that the stripes' axis takes. */
  readonly axis: readonly [number, number];
  /** How often the sequence is repeated along its axis. */
  readonly repeats: number;
  /** Depth and number of the teeth of a zigzag. */
  readonly zigzag: number;
  readonly teeth: number;
  /** Depth and number of waves, and where they begin (0…1). */
  readonly swing: number;
  readonly swings: number;
  readonly begin: number;
  /** How strongly threads show, how many lie along an edge, how they cross. */
  readonly weave: number;
  readonly threads: number;
  readonly crossing: (typeof CROSSINGS)[keyof typeof CROSSINGS];
  /** Where a brush runs dry (−1…1, lower is drier), how bare it leaves the ground, its streaks. */
  readonly dryAt: number;
  readonly bare: number;
  readonly streaks: number;
  readonly ground: Linear;
}

/** Ways of weaving; twill needs a multiple of 4 threads, herringbone of 32. */
export const CROSSINGS = { plain: 0, twill: 1, herringbone: 2 } as const;

/** A cloth as the kernel reads it; `total` is the mean colour of the sequence. */
export const CLOTH = layout({
  axis: XY,
  repeats: 1,
  zigzag: 1,
  teeth: 1,
  swing: 1,
  swings: 1,
  weave: 1,
  threads: 1,
  crossing: 1,
  dryAt: 1,
  bare: 1,
  streaks: 1,
  begin: 1,
  total: RGB,
  ground: RGB,
});
export type ClothRecord = RecordOf<typeof CLOTH>;

/** Cloth as numbers, with the mean colour of the sequence. */
export function clothTable(cloth: Cloth, total: Linear): Float32Array {
  return Float32Array.from(numbersOf({ ...cloth, total }, CLOTH));
}

/** One noise: waves across and along the stripes, and what it is added to with which weight. */
export interface Unevenness {
  readonly across: number;
  readonly along: number;
  readonly warp?: number;
  readonly brush?: number;
  readonly mottle?: number;
}

/** A noise as the kernel reads it; `offset` is its place in the permutation. */
export const UNEVENNESS = layout({ across: 1, along: 1, offset: 1, warp: 1, brush: 1, mottle: 1 });
export type UnevennessRecord = RecordOf<typeof UNEVENNESS>;

/** Noises as numbers, each with a place in the permutation of its own. */
export function unevennessTable(random: Random, terms: readonly Unevenness[]): Float32Array {
  return Float32Array.from(
    terms.flatMap((term) =>
      numbersOf(
        { warp: 0, brush: 0, mottle: 0, ...term, offset: whole(random, 0, 3500) },
        UNEVENNESS,
      ),
    ),
  );
}

/** Dye takes a little more in some places than in others. */
const DYE: readonly Unevenness[] = [
  { across: 3, along: 3, mottle: 0.02 },
  { across: 9, along: 8, mottle: 0.025 },
];

/** Threads of uneven thickness, across and along. */
export const YARN: readonly Unevenness[] = [
  ...DYE,
  { across: 150, along: 7, mottle: 0.07 },
  { across: 7, along: 150, mottle: 0.05 },
];

/** Paper with a tooth. */
export const PAPER: readonly Unevenness[] = [
  ...DYE,
  { across: 61, along: 59, mottle: 0.025 },
  { across: 167, along: 171, mottle: 0.05 },
];

/** Lines that stray as far as `far`, in edges of the picture. */
export function sway(far: number): readonly Unevenness[] {
  return [
    { across: 2, along: 2, warp: far },
    { across: 5, along: 5, warp: far * 0.4 },
  ];
}

/** The same by a hand that trembles. */
export function hand(far: number): readonly Unevenness[] {
  return [
    ...sway(far),
    { across: 13, along: 17, warp: far * 0.14 },
    { across: 43, along: 53, warp: far * 0.045 },
    { across: 90, along: 110, warp: far * 0.02 },
  ];
}

/** A loaded brush: long streaks along the stripes. */
export const BRUSH: readonly Unevenness[] = [
  { across: 40, along: 3, brush: 0.4 },
  { across: 97, along: 5, brush: 0.45 },
  { across: 190, along: 9, brush: 0.5 },
  { across: 11, along: 9, brush: 0.35 },
];
