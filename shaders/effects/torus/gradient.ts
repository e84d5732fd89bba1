/** The gradient's magnitude of a plane of 16-bit numbers. */
import type { Torus, Vector } from "../effect.ts";

/**
 * Writes rows from … to − 1 of the gradient's magnitude, 0…65535: Scharr's filter, whose response
 * is the most even over directions that three by three pixels allow. `unit.x` and `unit.y` are the
 * lengths, in pixels, of the result's unit. Edges wrap.
 */
export function gradientRows(
  plane: Uint16Array,
  into: Uint16Array,
  { width, height }: Pick<Torus, "width" | "height">,
  unit: Vector,
  from: number,
  to: number,
): void {
  // The filter's weights add up to 16 on each side, two pixels apart.
  const across = unit.x / 32;
  const down = unit.y / 32;
  for (let y = from; y < to; y++) {
    const row = y * width;
    const above = ((y + height - 1) % height) * width;
    const below = ((y + 1) % height) * width;
    for (let x = 0; x < width; x++) {
      const left = x === 0 ? width - 1 : x - 1;
      const right = x === width - 1 ? 0 : x + 1;
      const falling = plane[below + right] - plane[above + left];
      const rising = plane[above + right] - plane[below + left];
      const dx = (3 * (falling + rising) + 10 * (plane[row + right] - plane[row + left])) * across;
      const dy = (3 * (falling - rising) + 10 * (plane[below + x] - plane[above + x])) * down;
      into[row + x] = Math.min(Math.sqrt(dx * dx + dy * dy) + 0.5, 65535);
    }
  }
}
