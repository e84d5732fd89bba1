/** Captions, in a font from the packages, because the machine may have none. */
import { fileURLToPath } from "node:url";
import sharp from "sharp";

const FONT = fileURLToPath(import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"));

/** At this resolution sharp's text has one pixel a point. */
const DPI = 72;

/**
 * Returns a line of text as a PNG with a transparent background.
 * @param size height of the type in pixels
 * @param width maximum width in pixels; longer text is cropped
 */
export async function captionOf(text: string, size: number, width: number): Promise<Uint8Array> {
  const escaped = text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  const image = sharp({
    text: {
      // The box around the ink depends on the letters: transparent ones of full height keep it
      // constant.
      text: `<span foreground="#26282c">${escaped}</span><span alpha="1">Åg</span>`,
      font: `DejaVu Sans ${size}`,
      fontfile: FONT,
      dpi: DPI,
      rgba: true,
    },
  });
  const { width: wide = 0, height = size } = await image.metadata();
  const png = image.png();
  return wide <= width
    ? png.toBuffer()
    : sharp(await png.toBuffer())
        .extract({ left: 0, top: 0, width, height })
        .png()
        .toBuffer();
}
