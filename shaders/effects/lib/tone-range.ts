/** Stretches the tones of a picture: few inks have less of a range than it, and middle tones alone are dull. */
import Type from "typebox";

/** Share of a picture that may be darker than its darkest tone, and lighter than its lightest. */
const BEYOND = 0.03;

/** A picture whose tones differ by less is a plain surface, which stays; from the second on all is stretched. */
const PLAIN = [0.05, 0.25] as const;

/** A lightness 0…1 and its share of a picture. */
export interface Tone {
  readonly lightness: number;
  readonly share: number;
}

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
  const ascending = [...tones].sort((one, other) => one.lightness - other.lightness);
  const all = ascending.reduce((sum, { share }) => sum + share, 0);
  const toneAt = (part: number) => {
    let below = 0;
    for (const { lightness, share } of ascending) {
      below += share;
      if (below >= part * all) return lightness;
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
