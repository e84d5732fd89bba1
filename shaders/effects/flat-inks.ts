/** Reduces a picture to a few flat colours: its own, or inks that a printer has. */
import Type from "typebox";
import {
  encodedChannel,
  type Linear,
  linearFromHex,
  linearFromOklab,
  oklabFromLinear,
} from "../lib/colour.ts";
import { Strength } from "../parameters.ts";
import { CHROMA_WEIGHT, definePointwise, PICTURE_COLOURS, type PictureColour } from "./effect.ts";
import {
  type NamedInk,
  NamedInks,
  namedInkIssues,
  nearestInk,
  redrawnInInks,
  squaredDistance,
} from "./lib/named-inks.ts";
import { type Redrawing, redrawArguments, redrawKernel } from "./lib/redraw.ts";

export const flatInks = definePointwise({
  id: "flat_inks",
  title: "Flat inks",
  description:
    "Reduces the picture to a few flat colours, as for screen printing and weaving: its own main colours, or inks of your own.",
  params: Type.Object(
    {
      count: Type.Integer({
        minimum: 2,
        maximum: PICTURE_COLOURS,
        default: 6,
        description: "Number of colours; fewer if the picture has fewer.",
      }),
      inks: Type.Optional(NamedInks),
      strength: Strength(1, "Share of the flat colour; 0 changes nothing."),
    },
    { additionalProperties: false },
  ),
  issues: ({ inks = [] }) => namedInkIssues(inks),
  neutral: { strength: 0 },
  kernel: redrawKernel,
  readsColours: () => true,
  prepare({ count, inks, strength }, pictureColours) {
    const colours = pictureColours.length > 0 ? pictureColours : NOTHING_VISIBLE;
    const redrawn =
      inks === undefined
        ? redrawnIn(colours, inksFor(colours, count).map(inBytes))
        : (redrawnInFound(colours, inks) ?? redrawnInInks(colours, inks));
    return redrawArguments({
      ...redrawn,
      chroma: CHROMA_WEIGHT,
      softness: 0,
      kept: 0,
      strength,
    });
  },
});

const NOTHING_VISIBLE: readonly PictureColour[] = [{ colour: [0, 0, 0], share: 1 }];

/** Several of a picture's colours, their mean and their share. */
interface Cluster extends PictureColour {
  /** Places of these colours in the picture's list. */
  readonly of: readonly number[];
}

/**
 * Returns the ink, in OKLab, that each of a picture's colours becomes. The two clusters whose union adds the
 * least variance become one until there are few enough (J. Ward, "Hierarchical grouping to optimize an
 * objective function", 1963).
 */
export function inksFor(colours: readonly PictureColour[], count: number): Linear[] {
  let clusters: Cluster[] = colours.map((colour, n) => ({ ...colour, of: [n] }));
  while (clusters.length > count) {
    let least = Number.POSITIVE_INFINITY;
    let pair: readonly [number, number] = [0, 1];
    for (let m = 1; m < clusters.length; m++) {
      for (let n = 0; n < m; n++) {
        const cost = addedVariance(clusters[n], clusters[m]);
        if (cost < least) [least, pair] = [cost, [n, m]];
      }
    }
    const [n, m] = pair;
    clusters = [
      ...clusters.filter((_, at) => at !== n && at !== m),
      union(clusters[n], clusters[m]),
    ];
  }
  return colours.map(
    (_, n) => (clusters.find((cluster) => cluster.of.includes(n)) as Cluster).colour,
  );
}

function addedVariance(one: Cluster, other: Cluster): number {
  const distance = squaredDistance(one.colour, other.colour);
  return (distance * one.share * other.share) / (one.share + other.share);
}

function union(one: Cluster, other: Cluster): Cluster {
  const share = one.share + other.share;
  const mean = (part: 0 | 1 | 2) =>
    (one.colour[part] * one.share + other.colour[part] * other.share) / share;
  return { colour: [mean(0), mean(1), mean(2)], share, of: [...one.of, ...other.of] };
}

type Colours = Pick<Redrawing, "picture" | "palette">;

const redrawnIn = (colours: readonly PictureColour[], palette: readonly Linear[]): Colours => ({
  picture: colours.map(({ colour }) => colour),
  palette,
});

/**
 * Returns which colours become which inks where all inks are some that `inksFor` finds for the picture: names alone
 * do not change it. What else it finds takes the nearest of them. Otherwise null.
 */
function redrawnInFound(
  colours: readonly PictureColour[],
  named: readonly NamedInk[],
): Colours | null {
  const wanted = named.map(({ colour }) => colour.toLowerCase());
  const inks = wanted.map(oklabOf);
  for (let count = wanted.length; count <= PICTURE_COLOURS; count++) {
    const found = inksFor(colours, count).map(hexOf);
    if (!wanted.every((ink) => found.includes(ink))) continue;
    return redrawnIn(
      colours,
      found.map((ink) => nearestInk(oklabOf(ink), inks)),
    );
  }
  return null;
}

/** Rounds an OKLab colour to one with 8 bits a channel, so that all pixels of an ink have the same bytes. */
const inBytes = (colour: Linear): Linear => oklabOf(hexOf(colour));

const oklabOf = (hex: string): Linear => oklabFromLinear(linearFromHex(hex));

const hexOf = (colour: Linear): string =>
  `#${linearFromOklab(colour)
    .map((light) =>
      Math.round(255 * encodedChannel(light))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
