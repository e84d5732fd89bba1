/** Stretches the tones of a picture: few inks span less than a picture, and its middle tones alone look dull. */
import Type from "typebox";

/** About the share of a picture that becomes black, and of it that becomes white. */
const BEYOND = 0.03;

/** A picture whose tones differ by less is a plain surface, which stays; from the second on all is stretched. */
const PLAIN = [0.05, 0.25] as const;

/** A mean lightness 0…1, its share of a picture, and the standard deviation in that share. */
export interface Tone {
  readonly lightness: number;
  readonly share: number;
  readonly spread: number;
}

/** Parts of a tone, evenly spread: a large dark share is not as a whole the darkest. */
const PARTS = 16;

const partsOf = ({ lightness, share, spread }: Tone) =>
  Array.from({ length: PARTS }, (_, k) => ({
    lightness: lightness + Math.sqrt(3) * spread * ((2 * k + 1) / PARTS - 1),
    share: share / PARTS,
  }));

/** Schema of how far tones are stretched. */
export const Contrast = (where = "") =>
  Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0.8,
    description: `How far the picture's tones are stretched over the whole range; 0 keeps them.${where}`,
  });

/** Returns a function that stretches a lightness. */
export function stretchOf(tones: readonly Tone[], contrast: number): (lightness: number) => number {
  const ascending = tones.flatMap(partsOf).sort((one, other) => one.lightness - other.lightness);
  const all = ascending.reduce((sum, { share }) => sum + share, 0);
  const toneAt = (part: number) => {
    let below = 0;
    for (const { lightness, share } of ascending) {
      below += share;
      if (below >= part * all) return Math.min(Math.max(lightness, 0), 1);
    }
    return 0;
  };
  const [low, high] = [toneAt(BEYOND), toneAt(1 - BEYOND)];
  const spread = (high - low - PLAIN[0]) / (PLAIN[1] - PLAIN[0]);
  const weight = contrast * Math.min(Math.max(spread, 0), 1);
  if (weight === 0) return (lightness) => lightness;
  return (lightness) => {
    const stretched = Math.min(Math.max((lightness - low) / (high - low), 0), 1);
    return lightness + weight * (stretched - lightness);
  };
}
