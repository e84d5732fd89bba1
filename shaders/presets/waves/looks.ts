/** Shapes and print properties of a sea. */
import type { Band } from "../../lib/band-table.ts";
import { layout, numbersOf, type RecordOf } from "../../lib/layout.ts";

/** A finished design. */
export interface Sea {
  /** Bands of each profile: of a scale from its middle to its rim, of a swell downwards. */
  readonly profiles: readonly (readonly Band[])[];
  /** Numbers of the shapes, as the kernel reads them. */
  readonly shapes: readonly number[];
  readonly look: Partial<Look> & Pick<Look, "kind" | "count" | "reach">;
}

/** Numbers that the kernel paints with; lengths in edges of the picture, strengths 0…1. */
export interface Look {
  /** 0: scales, 1: swells. */
  readonly kind: 0 | 1;
  /** Scales in a row, or swells. */
  readonly count: number;
  /** Rows of scales (an even number), their radius, how far below its middle a scale's rings lie. */
  readonly rows: number;
  readonly radius: number;
  readonly eccentric: number;
  /** How far a shape reaches above its place. */
  readonly reach: number;
  /** How deep a swell's profile goes, and how pointed its crests are (0…1). */
  readonly body: number;
  readonly sharp: number;
  readonly shadow: number;
  readonly shadowReach: number;
  /** How far the hand strays; how much tooth shows. */
  readonly hand: number;
  readonly tooth: number;
}

/** A look as the kernel reads it; `profiles` is their number. */
export const LOOK = layout({
  kind: 1,
  profiles: 1,
  count: 1,
  rows: 1,
  radius: 1,
  eccentric: 1,
  reach: 1,
  body: 1,
  sharp: 1,
  shadow: 1,
  shadowReach: 1,
  hand: 1,
  tooth: 1,
});
export type LookRecord = RecordOf<typeof LOOK>;

const STILL = {
  rows: 2,
  radius: 0.1,
  eccentric: 0,
  body: 1,
  sharp: 0,
  shadow: 0,
  shadowReach: 0.02,
  hand: 0.002,
  tooth: 0.1,
} as const;

/** A look as numbers. */
export function lookTable({ look, profiles }: Sea): Float32Array {
  return Float32Array.from(numbersOf({ ...STILL, ...look, profiles: profiles.length }, LOOK));
}

/** All profiles as one sequence, each as long as the others. */
export function sequenceOf({ profiles }: Sea): Band[] {
  return profiles.flatMap((profile) => {
    const whole = profile.reduce((sum, { width }) => sum + width, 0);
    return profile.map((band) => ({ ...band, width: band.width / whole }));
  });
}
