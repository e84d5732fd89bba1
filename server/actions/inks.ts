/** The flat colours of a pattern: what screen printers and mills mix. */
import Type, { type Static } from "typebox";
import { Conflict } from "../../db/index.ts";
import {
  inkNamesOf,
  LIMITS,
  RenderFields,
  VECTOR_FORMATS,
  vectorFacts,
} from "../../engine/index.ts";
import { ownerOf } from "./accounts.ts";
import { requireFound } from "./errors.ts";
import { strict } from "./fields.ts";
import { getStoredPattern } from "./patterns.ts";
import { withRenderTimeLimit } from "./renders.ts";
import type { Services } from "./services.ts";
import { readSourceImage } from "./sources.ts";

const { size, tile, hex_cells, dpi } = RenderFields.properties;

/** The tile whose inks are listed, by default a single repeat in its true shape. */
export const InkFields = Type.Object(
  { size, tile: Type.Enum(["square", "cell"], { ...tile, default: "cell" }), hex_cells },
  strict,
);

export const SeparationFields = Type.Object(
  {
    ...InkFields.properties,
    dpi: Type.Number({ ...dpi, description: "Pixels per inch, in the file's metadata." }),
  },
  strict,
);

export const VectorFields = Type.Object(
  {
    format: Type.Enum([...VECTOR_FORMATS], {
      default: "svg",
      description:
        "svg: SVG 1.1 with a layer for each ink. pdf: PDF 1.7 in which the inks are spot colours.",
    }),
    size: Type.Integer({
      minimum: LIMITS.vector.minimum,
      maximum: LIMITS.vector.maximum,
      default: LIMITS.vector.default,
      description:
        "Pixels of the repeat's longer side in which the shapes are traced. More show finer detail and make a larger file.",
    }),
    cell_mm: Type.Number({
      ...LIMITS.print.cell,
      default: 100,
      description: "Edge a of one conventional cell in millimetres.",
    }),
  },
  strict,
);

/** Media types of patterns as curves. */
export const VECTOR_TYPES = Object.values(vectorFacts).map(({ mediaType }) => mediaType);

export const Ink = Type.Object(
  {
    name: Type.String({
      description:
        "The name that the effect `flat_inks` gives it; else its number, the ink with the largest share first, and its colour.",
    }),
    colour: Type.String({ description: "The colour as `#rrggbb`." }),
    lab: Type.Object(
      {
        l: Type.Number({ description: "Lightness, 0 (black) to 100 (white)." }),
        a: Type.Number({ description: "Green (negative) to red." }),
        b: Type.Number({ description: "Blue (negative) to yellow." }),
      },
      { ...strict, description: "The colour in CIELAB with illuminant D50." },
    ),
    share: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "Share of the printed area that it covers.",
    }),
  },
  {
    ...strict,
    description: "A flat colour of a pattern.",
    examples: [
      {
        name: "Indigo 30",
        colour: "#1f4e79",
        lab: { l: 31.64, a: -4.3, b: -29.67 },
        share: 0.412612,
      },
    ],
  },
);
export type Ink = Static<typeof Ink>;

/**
 * Returns the inks of a pattern, the one with the largest share first. Throws NotFound, InvalidRecipe, Conflict for a
 * pattern of more than 16 colours, SourceMissing, SourceUnreadable, Overloaded, RenderTimeout, and the reason of
 * `signal`.
 */
export async function listInks(
  services: Services,
  accountId: number,
  id: number,
  fields: Static<typeof InkFields>,
  signal: AbortSignal,
): Promise<Ink[]> {
  const request = { ...(await requestFor(services, accountId, id)), fields };
  const inks = await withRenderTimeLimit(services, signal, (limit) =>
    services.engine.inks(request, limit, ownerOf(accountId)),
  );
  return requireInks(inks, id).map(({ name, colour, lab: { l, a, b }, share }) => ({
    name,
    colour,
    lab: { l: rounded(l, 2), a: rounded(a, 2), b: rounded(b, 2) },
    share: rounded(share, 6),
  }));
}

/** Returns what was made of a pattern's inks. Throws Conflict if it is null: the pattern has too many colours. */
function requireInks<Made>(made: Made | null, id: number): Made {
  if (made !== null) return made;
  throw new Conflict(
    `pattern ${id} has more than 16 colours: end its effects with flat_inks at strength 1; a counterchange doubles the number of inks`,
  );
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits)) || 0;

/**
 * Returns a greyscale PNG of a pattern's tile, black where it has a colour and white elsewhere, and the colour's name
 * if it has one. Throws NotFound,
 * also where it has the colour nowhere, InvalidRecipe, SourceMissing, SourceUnreadable, Overloaded, RenderTimeout,
 * and the reason of `signal`.
 * @param colour as six hexadecimal digits
 */
export async function makeSeparation(
  services: Services,
  accountId: number,
  id: number,
  colour: string,
  fields: Static<typeof SeparationFields>,
  signal: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly name: string | undefined }> {
  const stored = await requestFor(services, accountId, id);
  const request = { ...stored, colour: `#${colour}`, fields };
  const png = await withRenderTimeLimit(services, signal, (limit) =>
    services.engine.separate(request, limit, ownerOf(accountId)),
  );
  return {
    bytes: requireFound(png, `ink #${colour} of pattern ${id}`),
    name: inkNamesOf(stored.design).get(request.colour),
  };
}

/**
 * Returns one repeat of a pattern as a file of curves. Throws as `listInks` does, and InvalidRecipe if it has too many
 * curves.
 */
export async function makeVector(
  services: Services,
  accountId: number,
  id: number,
  fields: Static<typeof VectorFields>,
  signal: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly mediaType: string }> {
  const request = { ...(await requestFor(services, accountId, id)), ...fields };
  const file = await withRenderTimeLimit(services, signal, (limit) =>
    services.engine.drawVector(request, limit, ownerOf(accountId)),
  );
  return { bytes: requireInks(file, id), mediaType: vectorFacts[fields.format].mediaType };
}

async function requestFor(services: Services, accountId: number, id: number) {
  const { design, source } = await getStoredPattern(services, accountId, id);
  const { sha256 } = source;
  return { design, source: { sha256, bytes: await readSourceImage(services, sha256) } };
}

/** Writes inks as an Adobe Swatch Exchange file: spot colours in CIELAB, with their names. */
export function swatchFile(inks: readonly Ink[]): Uint8Array {
  const header = Buffer.from("ASEF\0\x01\0\0\0\0\0\0", "latin1");
  header.writeUInt32BE(inks.length, 8);
  return Buffer.concat([header, ...inks.map(swatchBlock)]);
}

const COLOUR_BLOCK = 1;
const SPOT = 1;

function swatchBlock({ name, lab }: Ink): Uint8Array {
  const text = Buffer.from(`${name}\0`, "utf16le").swap16();
  const head = Buffer.alloc(8);
  const colour = Buffer.from("LAB ............##", "latin1");
  head.writeUInt16BE(COLOUR_BLOCK, 0);
  head.writeUInt32BE(2 + text.length + colour.length, 2);
  head.writeUInt16BE(text.length / 2, 6);
  [lab.l / 100, lab.a, lab.b].forEach((value, n) => {
    colour.writeFloatBE(value, 4 + 4 * n);
  });
  colour.writeUInt16BE(SPOT, 16);
  return Buffer.concat([head, text, colour]);
}
