/** Contact sheets: small pictures in a grid, as one JPEG. */

/** Pixels of a cell's edge and between cells, and numbers of columns and cells at most. */
export const CONTACT_SHEET = { cell: 160, gap: 8, columns: 10, cells: 100 } as const;

const PAPER = "#ffffff";
/** Stands for a picture that is missing. */
const EMPTY = "#d0d0d0";

const QUALITY = 85;
const PIXELS_PER_INCH = 96;

/** Returns the columns and the size in pixels of a contact sheet of `count` cells. */
function contactSheetSize(count: number) {
  const { cell, gap, columns: most } = CONTACT_SHEET;
  const columns = Math.min(most, Math.ceil(Math.sqrt(count)));
  const edge = (cells: number) => cells * (cell + gap) + gap;
  return { columns, width: edge(columns), height: edge(Math.ceil(count / columns)) };
}

/** Arranges pictures row by row in the middle of their cells; null stands for a missing one. */
export async function encodeContactSheet(
  pictures: readonly (Uint8Array | null)[],
): Promise<Uint8Array> {
  // Loaded here, because the main thread only reads the sizes.
  const [{ sharp }, { encodeWhole }] = await Promise.all([
    import("../decoders/libvips.ts"),
    import("./whole-image.ts"),
  ]);
  const { cell, gap } = CONTACT_SHEET;
  const { columns, width, height } = contactSheetSize(pictures.length);
  const square = { width: cell, height: cell };
  const cells = [];
  for (const [n, picture] of pictures.entries()) {
    const image =
      picture === null
        ? sharp({ create: { ...square, channels: 3, background: EMPTY } })
        : sharp(picture)
            .flatten({ background: PAPER })
            .resize({ ...square, fit: "contain", background: PAPER });
    const input = await image.removeAlpha().raw().toBuffer();
    cells.push({
      input,
      raw: { ...square, channels: 3 as const },
      left: gap + (n % columns) * (cell + gap),
      top: gap + Math.floor(n / columns) * (cell + gap),
    });
  }
  const paper = sharp({ create: { width, height, channels: 3, background: PAPER } });
  const pixels = await paper.composite(cells).removeAlpha().raw().toBuffer();
  const options = { quality: QUALITY, pixelsPerInch: PIXELS_PER_INCH };
  return encodeWhole(pixels, { width, height, channels: 3 }, "jpeg", options);
}
