/** Processes a torus in bands of rows, with checkpoints between them. */
import type { EffectContext, Torus, Vector } from "../effect.ts";

/** Pixels between two checkpoints: some milliseconds of work. */
const BAND_PIXELS = 1 << 18;

/** Calls `work` for rows from … to − 1, band by band. */
export async function inBands(
  { width, height }: Pick<Torus, "width" | "height">,
  context: EffectContext,
  work: (from: number, to: number) => void,
): Promise<void> {
  const rows = Math.max(1, Math.floor(BAND_PIXELS / width));
  for (let from = 0; from < height; from += rows) {
    work(from, Math.min(from + rows, height));
    await context.checkpoint();
  }
}

/** Width and height of a pixel in edges of the cell. */
export const pixelSize = ({ toPlane: { a, b, c, d } }: Pick<Torus, "toPlane">): Vector => ({
  x: Math.hypot(a, c),
  y: Math.hypot(b, d),
});
