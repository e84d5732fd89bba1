/**
 * The largest disc of a fundamental domain and its images: regions where a radial effect stays inside
 * the domain and does not affect its neighbours.
 */
import type { Torus } from "../../shaders/effects/effect.ts";
import { apply, determinant, invert } from "./affine.ts";
import type { Domain } from "./domain.ts";
import { type Tile, translationsWithin } from "./grid.ts";

/**
 * Returns the discs about all points of the orbit of the domain's centre on the tile, in pixels. They
 * are round on the plane and at most touch. If pixels are not square on the plane, the unit of the
 * radius is the pixels' longer side.
 */
export function discsOf({ isometries, centre, edges }: Domain, tile: Tile): Torus["discs"] {
  const { width, height, toPlane, region } = tile;
  const toPixels = invert(toPlane);
  const pixel = Math.max(Math.hypot(toPlane.a, toPlane.c), Math.hypot(toPlane.b, toPlane.d));
  const nearest = Math.min(...edges.map(({ distance }) => distance));
  const radius = nearest / 2 / pixel;
  const translations = translationsWithin(isometries, region);
  return isometries.cosets.flatMap((coset) => {
    const image = apply(coset, centre);
    return translations.map((t) => {
      const { x, y } = apply(toPixels, { x: image.x + t.x, y: image.y + t.y });
      return {
        x: modulo(x, width),
        y: modulo(y, height),
        radius,
        mirrored: determinant(coset) < 0,
      };
    });
  });
}

const modulo = (value: number, size: number) => ((value % size) + size) % size;
