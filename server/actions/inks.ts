/** The flat colours of a pattern: what screen printers and mills mix. */
import Type, { type Static } from "typebox";
import { Conflict } from "../../db/index.ts";
import { RenderFields } from "../../engine/index.ts";
import { ownerOf } from "./accounts.ts";
import { requireFound } from "./errors.ts";
import { strict } from "./fields.ts";
import { getStoredPattern } from "./patterns.ts";
import type { Services } from "./services.ts";
import { readSourceImage } from "./sources.ts";

export const Ink = Type.Object(
  {
    name: Type.String({ description: "Its number, the ink with the largest share first." }),
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
      description: "Share of the pattern that it covers.",
    }),
  },
  {
    ...strict,
    description: "A flat colour of a pattern.",
    examples: [
      { name: "Ink 1", colour: "#1f4e79", lab: { l: 31.93, a: -2.37, b: -29.17 }, share: 0.4126 },
    ],
  },
);
export type Ink = Static<typeof Ink>;

/**
 * Returns the inks of a pattern, the one with the largest share first. Throws NotFound, Conflict for a pattern of
 * more than 16 colours, SourceMissing, SourceUnreadable, Overloaded, and the reason of `signal`.
 */
export async function listInks(
  services: Services,
  accountId: number,
  id: number,
  signal: AbortSignal,
): Promise<Ink[]> {
  const request = await inkRequest(services, accountId, id);
  const inks = await services.engine.inks(request, signal, ownerOf(accountId));
  if (inks === null) {
    throw new Conflict(
      `pattern ${id} has more than 16 colours: add the effect flat_inks, which reduces them`,
    );
  }
  return inks.map(({ colour, lab, share }, n) => ({
    name: `Ink ${n + 1}`,
    colour,
    lab: { l: rounded(lab.l, 2), a: rounded(lab.a, 2), b: rounded(lab.b, 2) },
    share: rounded(share, 4),
  }));
}

const { size, tile, hex_cells, dpi } = RenderFields.properties;

/** Fields of a separation: those of a tile, by default a single repeat in its true shape. */
export const SeparationFields = Type.Object(
  {
    size,
    tile: Type.Enum(["square", "cell"], { ...tile, default: "cell" }),
    hex_cells,
    dpi: Type.Number({ ...dpi, description: "Pixels per inch, in the file's metadata." }),
  },
  strict,
);

/**
 * Returns a greyscale PNG of a pattern's tile, black where it has a colour and white elsewhere. Throws NotFound,
 * also where it has the colour nowhere, SourceMissing, SourceUnreadable, Overloaded, and the reason of `signal`.
 * @param colour as six hexadecimal digits
 */
export async function makeSeparation(
  services: Services,
  accountId: number,
  id: number,
  colour: string,
  fields: Static<typeof SeparationFields>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const request = { ...(await inkRequest(services, accountId, id)), colour: `#${colour}`, fields };
  const png = await services.engine.separate(request, signal, ownerOf(accountId));
  return requireFound(png, `ink #${colour} of pattern ${id}`);
}

async function inkRequest(services: Services, accountId: number, id: number) {
  const { design, source } = await getStoredPattern(services, accountId, id);
  const { sha256 } = source;
  return { design, source: { sha256, bytes: await readSourceImage(services, sha256) } };
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits)) || 0;

/** Writes inks as an Adobe Swatch Exchange file: spot colours in CIELAB, with their names. */
export function swatchFile(inks: readonly Ink[]): Uint8Array {
  const header = Buffer.from("ASEF\0\x01\0\0", "latin1");
  return Buffer.concat([header, uint32(inks.length), ...inks.map(swatchBlock)]);
}

const COLOUR_BLOCK = 1;
const SPOT = 1;

function swatchBlock({ name, lab }: Ink): Uint8Array {
  const text = Buffer.from(`${name}\0`, "utf16le").swap16();
  const numbers = Buffer.concat([float(lab.l / 100), float(lab.a), float(lab.b)]);
  const content = Buffer.concat([
    uint16(text.length / 2),
    text,
    Buffer.from("LAB ", "latin1"),
    numbers,
    uint16(SPOT),
  ]);
  return Buffer.concat([uint16(COLOUR_BLOCK), uint32(content.length), content]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(value);
  return bytes;
}
