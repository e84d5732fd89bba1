/** Words on pictures, in a font that comes with the packages: a bare machine has none. */
import { fileURLToPath } from "node:url";
import sharp from "sharp";

const FONT = fileURLToPath(import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"));

/** Points at which sharp's text is a pixel a point. */
const DPI = 72;

/**
 * A line of text as a PNG with a transparent ground.
 * @param size height of the type in pixels
 * @param width that the text is cut off at, in pixels
 */
export async function captionOf(text: string, size: number, width: number): Promise<Uint8Array> {
  const escaped = text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  const image = sharp({
    text: {
      // The box around the ink would jump with the letters: clear ones with all heights keep it.
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
