/** Pictures in a grid, each with a caption, under a title. */
import sharp from "sharp";
import type { Size } from "../engine/index.ts";
import { captionOf } from "./caption.ts";

export interface Plate {
  readonly caption: string;
  /** An encoded picture; it is fitted into the plate. */
  readonly picture: Uint8Array;
}

/** The size of a plate, in pixels. */
export interface Layout extends Size {
  readonly columns: number;
}

/** Pixels for plates of 320, scaled with them. */
const GAP = 14;
const TYPE = 15;
const TITLE = 26;

/** Arranges plates row by row and returns a JPEG. */
export async function contactSheet(
  title: string,
  plates: readonly Plate[],
  { width, height, columns }: Layout,
): Promise<Uint8Array> {
  const scale = width / 320;
  const gap = Math.round(GAP * scale);
  const type = Math.round(TYPE * scale);
  const head = Math.round(TITLE * scale);
  const line = Math.round(1.7 * type);
  const rows = Math.ceil(plates.length / columns);
  const placed = await Promise.all(
    plates.map(async ({ caption, picture }, index) => {
      const left = gap + (index % columns) * (width + gap);
      const top = head + 2 * gap + Math.floor(index / columns) * (height + line + gap);
      const fitted = await sharp(picture).resize(width, height, { fit: "cover" }).toBuffer();
      const words = await captionOf(caption, type, width);
      return [
        { input: fitted, left, top },
        { input: Buffer.from(words), left, top: top + height + Math.round(0.3 * type) },
      ];
    }),
  );
  const wide = gap + columns * (width + gap);
  const heading = await captionOf(title, head, wide - 2 * gap);
  return sharp({
    create: {
      width: wide,
      height: head + 3 * gap + rows * (height + line + gap) - gap,
      channels: 3,
      background: "#f7f6f2",
    },
  })
    .composite([{ input: Buffer.from(heading), left: gap, top: gap }, ...placed.flat()])
    .jpeg({ quality: 88, mozjpeg: true })
    .toBuffer();
}
