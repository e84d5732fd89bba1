/** The part of a pattern that is traced, and where its copies lie. */
import { type Affine, apply, type Point } from "../geometry/affine.ts";
import { type Domain, valueAt } from "../geometry/domain.ts";
import type { Tile } from "../geometry/grid.ts";
import type { InkMap } from "./underlap.ts";

/**
 * Returns what of a tile lies in a fundamental domain and `overlap` around it, in edges of the cell, and where the
 * corner of the part is in the tile's pixels.
 */
export function partInDomain(
  { width, height, inks }: InkMap,
  { toPlane }: Tile,
  { centre, corners, edges }: Domain,
  overlap: number,
): { part: InkMap; origin: Point } {
  const distancesToEdges = edges.map(({ excess: { x, y, k } }) => {
    const length = Math.hypot(x, y);
    return { x: x / length, y: y / length, k: k / length };
  });
  const across = corners.map(({ x }) => (x + centre.x) / toPlane.a);
  const down = corners.map(({ y }) => (y + centre.y) / toPlane.d);
  const [marginX, marginY] = [overlap / toPlane.a + 1, overlap / toPlane.d + 1];
  const left = Math.floor(Math.min(...across) - marginX);
  const top = Math.floor(Math.min(...down) - marginY);
  const size = {
    width: Math.ceil(Math.max(...across) + marginX) - left,
    height: Math.ceil(Math.max(...down) + marginY) - top,
  };
  const within = new Uint8Array(size.width * size.height);
  for (let y = 0; y < size.height; y++) {
    const row = modulo(top + y, height) * width;
    for (let x = 0; x < size.width; x++) {
      const place = apply(toPlane, { x: left + x + 0.5, y: top + y + 0.5 });
      const fromCentre = { x: place.x - centre.x, y: place.y - centre.y };
      if (distancesToEdges.some((distance) => valueAt(distance, fromCentre) < -overlap)) continue;
      within[y * size.width + x] = inks[row + modulo(left + x, width)];
    }
  }
  return { part: { ...size, inks: within }, origin: { x: left, y: top } };
}

const modulo = (value: number, size: number) => ((value % size) + size) % size;

/** Returns the elements of a group whose copies of a domain, with `overlap` around it, show in the period. */
export function copiesOf(
  { isometries: { cosets, basis, period }, centre, corners }: Domain,
  overlap: number,
): Affine[] {
  const places = corners.map(({ x, y }) => ({ x: x + centre.x, y: y + centre.y }));
  const [a, b] = basis;
  const area = Math.abs(a.x * b.y - a.y * b.x);
  const found: Affine[] = [];
  for (const coset of cosets) {
    const images = places.map((place) => apply(coset, place));
    const [xs, ys] = [images.map(({ x }) => x), images.map(({ y }) => y)];
    const box = {
      left: Math.min(...xs) - overlap,
      top: Math.min(...ys) - overlap,
      right: Math.max(...xs) + overlap,
      bottom: Math.max(...ys) + overlap,
    };
    // A translation that brings the box into the period is no longer than this.
    const reach = Math.hypot(
      period.width + Math.max(Math.abs(box.left), Math.abs(box.right)),
      period.height + Math.max(Math.abs(box.top), Math.abs(box.bottom)),
    );
    const columns = Math.ceil((reach * Math.hypot(b.x, b.y)) / area);
    const rows = Math.ceil((reach * Math.hypot(a.x, a.y)) / area);
    for (let i = -columns; i <= columns; i++) {
      for (let j = -rows; j <= rows; j++) {
        const t = { x: i * a.x + j * b.x, y: i * a.y + j * b.y };
        const isVisible =
          box.left + t.x < period.width &&
          box.right + t.x > 0 &&
          box.top + t.y < period.height &&
          box.bottom + t.y > 0;
        if (isVisible) found.push({ ...coset, e: coset.e + t.x, f: coset.f + t.y });
      }
    }
  }
  return found;
}
