/** Inks of one's own: their names and colours, and which parts of a picture are printed in them. */
import Type, { type Static } from "typebox";
import { type Linear, linearFromHex, oklabFromLinear } from "../../lib/colour.ts";
import { colour } from "../../parameters.ts";
import { CHROMA_WEIGHT, type ParameterIssue, type PictureColour } from "../effect.ts";
import {
  INK_LIMITS,
  isSameText,
  NAME_PATTERN,
  type NameFault,
  nameFault,
  reservedNames,
} from "./ink-names.ts";
import { type Matching, matchedColours, meanOf } from "./matched-colours.ts";
import type { Redrawing } from "./redraw.ts";

const { count, name } = INK_LIMITS;

const READABLE = `1 to ${name.characters} characters without control or invisible characters, or spaces at the ends`;

export const NamedInk = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: name.characters,
      pattern: NAME_PATTERN,
      title: READABLE,
      examples: ["Pantone 186 C"],
      description: "What the printer calls it.",
    }),
    colour: Type.String({
      ...colour,
      examples: ["#c8102e"],
      description: "How it looks, as `#rrggbb`.",
    }),
  },
  { additionalProperties: false },
);
export type NamedInk = Static<typeof NamedInk>;

export const NamedInks = Type.Array(NamedInk, {
  minItems: count.minimum,
  maxItems: count.maximum,
  title: `a list of ${count.minimum} to ${count.maximum} inks such as {"name": "Pantone 186 C", "colour": "#c8102e"}`,
  description:
    "Inks of your own, which the picture is reduced to instead of its main colours; `count` then has no influence. If they are close to the picture's colours, each pixel takes the most similar ink. If they are not (a brown picture in blues), the main colours of the picture are mapped: the darkest to a dark ink, the lightest to a light one, and between them by hue. Not every ink has to occur.",
});

/** Returns what the schema cannot say of inks: that no two are the same, and which names PDF cannot hold. */
export function namedInkIssues(inks: readonly NamedInk[]): ParameterIssue[] {
  const issues: ParameterIssue[] = [];
  inks.forEach(({ name, colour }, at) => {
    const add = (field: keyof NamedInk, message: string, expected: string) => {
      const received = JSON.stringify(inks[at][field]);
      issues.push({ path: `/inks/${at}/${field}`, message, expected, received });
    };
    const before = inks.slice(0, at);
    const fault = nameFault(name);
    // Printers and their programs may not tell upper case from lower case.
    if (before.some((other) => isSameText(other.name, name))) {
      add("name", "two inks have this name", "a name of its own for each ink");
    } else if (fault !== null) {
      add("name", ...FAULTS[fault]);
    }
    if (before.some((other) => isSameText(other.colour, colour))) {
      add("colour", "two inks have this colour", "a colour of its own for each ink");
    }
  });
  return issues;
}

/** Messages about names, and what is expected. */
const FAULTS: Readonly<Record<NameFault, readonly [string, string]>> = {
  text: ["has invisible characters, or spaces at its ends", READABLE],
  reserved: [
    "PDF reserves this name for a process colour, or for all or no plates",
    `a name other than ${reservedNames}`,
  ],
  bytes: ["a PDF cannot contain this name", `Unicode text of at most ${name.bytes} bytes in UTF-8`],
};

/** Share of a picture's variance that inks may miss and still be about its colours. */
const MISSED = 0.25;

/** Light areas stay lighter than dark ones, hues are kept where they can be, and not every ink has to occur. */
const MATCHING: Matching = { isRelative: false, chromaCost: 1, shareCost: 0.005 };

/**
 * Returns the colours that pixels are compared with, and the inks that these become. Photographs of brown things on
 * bright inks would lose their motif if each pixel got the most similar ink, which is the same one nearly everywhere.
 */
export function redrawnInInks(
  picture: readonly PictureColour[],
  named: readonly NamedInk[],
): Pick<Redrawing, "picture" | "palette"> {
  const inks = named.map(({ colour }) => oklabFromLinear(linearFromHex(colour)));
  if (
    picture.length < 2 ||
    missedBy(inks, picture) <= MISSED * missedBy([meanOf(picture)], picture)
  ) {
    return { picture: inks, palette: inks };
  }
  const palette = inks.map((colour) => ({ colour, share: 1 / inks.length }));
  return {
    picture: picture.map(({ colour }) => colour),
    palette: matchedColours(picture, palette, MATCHING),
  };
}

/** Returns the mean squared distance from a picture's colours to the nearest of some inks. */
const missedBy = (inks: readonly Linear[], picture: readonly PictureColour[]): number =>
  picture.reduce(
    (sum, { colour, share }) =>
      sum + share * Math.min(...inks.map((ink) => squaredDistance(ink, colour))),
    0,
  );

/** Returns the ink that is nearest to a colour, all in OKLab. */
export const nearestInk = (colour: Linear, inks: readonly Linear[]): Linear =>
  inks.reduce((best, ink) =>
    squaredDistance(ink, colour) < squaredDistance(best, colour) ? ink : best,
  );

/** Returns the squared distance of two OKLab colours, chroma multiplied by `CHROMA_WEIGHT`. */
export function squaredDistance(one: Linear, other: Linear): number {
  const [lightness, a, b] = one.map((value, part) => value - other[part]);
  return lightness ** 2 + CHROMA_WEIGHT ** 2 * (a ** 2 + b ** 2);
}
