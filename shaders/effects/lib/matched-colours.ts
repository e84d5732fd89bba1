/** Matches the main colours of a picture with those of a palette. */
import type { Linear } from "../../lib/colour.ts";
import type { PictureColour } from "../effect.ts";

/** Least range of lightness that is stretched to the palette's. */
const LEAST_RANGE = 0.15;

export interface Matching {
  /** Whether chroma is compared relative to the means of picture and palette, or as it is. */
  readonly isRelative: boolean;
  /** Cost of moving a whole picture by an OKLab distance of 1 in a and b; 1 for lightness. */
  readonly chromaCost: number;
  /** Cost of missed shares. */
  readonly shareCost: number;
}

/**
 * Returns the palette's colour for each colour of a picture, all in OKLab: a transport plan that keeps
 * colours whole, because an area that looks like one should stay one. Its cost is that of squared
 * differences in lightness, relative to picture and palette, and in chroma, and of shares that differ
 * from the palette's. Found by exchanging colours as long as the cost falls.
 * @param picture by lightness, the darkest first
 * @param palette colours and the shares that they should take
 */
export function matchedColours(
  picture: readonly PictureColour[],
  palette: readonly PictureColour[],
  { isRelative, chromaCost, shareCost }: Matching,
): Linear[] {
  if (picture.length === 0) return [];
  const lightness = lightnessFor(picture, palette);
  const [from, to] = isRelative ? [meanOf(picture), meanOf(palette)] : [GREY, GREY];
  const costs = picture.map(({ colour, share }, n) =>
    palette.map((other) => {
      const a = colour[1] - from[1] - other.colour[1] + to[1];
      const b = colour[2] - from[2] - other.colour[2] + to[2];
      return share * ((lightness[n] - other.colour[0]) ** 2 + chromaCost * (a * a + b * b));
    }),
  );
  const costOf = (chosen: readonly number[]) => {
    const taken = palette.map(() => 0);
    let cost = 0;
    chosen.forEach((k, n) => {
      taken[k] += picture[n].share;
      cost += costs[n][k];
    });
    return palette.reduce(
      (sum, { share }, k) => sum + (shareCost * (taken[k] - share) ** 2) / share,
      cost,
    );
  };
  let chosen = costs.map((row) => row.indexOf(Math.min(...row)));
  let least = costOf(chosen);
  const improve = (changed: number[]) => {
    const cost = costOf(changed);
    // Rounding does not count, so that the search ends.
    if (!(cost < least - 1e-12)) return false;
    [chosen, least] = [changed, cost];
    return true;
  };
  for (let better = true; better; ) {
    better = false;
    for (let n = 0; n < picture.length; n++) {
      for (let k = 0; k < palette.length; k++) better = improve(chosen.with(n, k)) || better;
      for (let m = 0; m < n; m++) {
        better = improve(chosen.with(m, chosen[n]).with(n, chosen[m])) || better;
      }
    }
  }
  return chosen.map((k) => palette[k].colour);
}

/**
 * Returns the palette's lightness for that of each colour: the mean of its place in the palette's range
 * and of the lightness that has as much of the palette below it.
 */
function lightnessFor(picture: readonly PictureColour[], palette: readonly PictureColour[]) {
  const sorted = palette.toSorted((one, other) => one.colour[0] - other.colour[0]);
  const [darkest, lightest] = [sorted[0].colour[0], sorted[sorted.length - 1].colour[0]];
  const [first, last] = [picture[0].colour[0], picture[picture.length - 1].colour[0]];
  const range = Math.max(last - first, LEAST_RANGE);
  const low = Math.min(Math.max((first + last - range) / 2, 0), 1 - range);
  const middles = middlesOf(sorted);
  const places = middlesOf(picture);
  return picture.map(({ colour }, n) => {
    const stretched = darkest + ((lightest - darkest) * (colour[0] - low)) / range;
    return (stretched + interpolated(places[n], middles, sorted)) / 2;
  });
}

/** Returns the share below the middle of each colour. */
function middlesOf(colours: readonly { readonly share: number }[]): number[] {
  let below = 0;
  return colours.map(({ share }) => {
    below += share;
    return below - share / 2;
  });
}

function interpolated(
  place: number,
  middles: readonly number[],
  colours: readonly PictureColour[],
): number {
  const above = middles.findIndex((middle) => middle >= place);
  if (above === 0) return colours[0].colour[0];
  if (above < 0) return colours[colours.length - 1].colour[0];
  const share = (place - middles[above - 1]) / (middles[above] - middles[above - 1]);
  const [from, to] = [colours[above - 1].colour[0], colours[above].colour[0]];
  return from + (to - from) * share;
}

const GREY: Linear = [0, 0, 0];

/** Returns the mean of colours, weighted by their shares. */
export function meanOf(colours: readonly PictureColour[]): Linear {
  const part = (channel: 0 | 1 | 2) =>
    colours.reduce((sum, { colour, share }) => sum + share * colour[channel], 0);
  return [part(0), part(1), part(2)];
}
