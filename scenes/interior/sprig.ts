/** A sprig of eucalyptus: round leaves in pairs along bent stems. */
import { hash } from "../noise.ts";
import { length2, smoothstep } from "../scalars.ts";

interface Leaf {
  readonly x: number;
  readonly y: number;
  /** Unit vector from the stem to the tip. */
  readonly dx: number;
  readonly dy: number;
  readonly long: number;
  readonly wide: number;
  readonly tone: number;
}

interface Twig {
  readonly half: number;
  readonly x: number;
  readonly y: number;
  readonly toX: number;
  readonly toY: number;
}

export interface Sprig {
  readonly leaves: readonly Leaf[];
  readonly twigs: readonly Twig[];
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A stem: its angle from upright, its length in units, and its bend. */
interface Stem {
  readonly lean: number;
  readonly length: number;
  readonly bend: number;
}

/** Grows stems from a point; leaves of size 1 are about 60 units long. */
export function growSprig(x: number, y: number, size: number, stems: readonly Stem[]): Sprig {
  const step = 34 * size;
  const leaves: Leaf[] = [];
  const twigs: Twig[] = [];
  stems.forEach(({ lean, length, bend }, stem) => {
    const steps = Math.round(length / step);
    let [px, py] = [x, y];
    for (let k = 0; k < steps; k++) {
      const share = k / steps;
      const angle = lean + bend * share;
      const [toX, toY] = [px + step * Math.sin(angle), py - step * Math.cos(angle)];
      twigs.push({ half: 2.3 * size, x: px, y: py, toX, toY });
      [px, py] = [toX, toY];
      if (share < 0.22) continue;
      for (const side of [-1, 1]) {
        const turn = angle + side * (0.95 + 0.4 * hash(k, 7 * stem + side)) * (1 - 0.3 * share);
        const long = size * (33 - 15 * share) * (0.85 + 0.3 * hash(stem, 3 * k + side));
        leaves.push({
          x: px + 0.9 * long * Math.sin(turn),
          y: py - 0.9 * long * Math.cos(turn),
          dx: Math.sin(turn),
          dy: -Math.cos(turn),
          long,
          wide: long * (0.5 + 0.28 * hash(k + 40, stem + side)),
          tone: hash(11 * k + side, stem),
        });
      }
    }
  });
  const reach = 40 * size;
  return {
    leaves,
    twigs,
    left: Math.min(...leaves.map((leaf) => leaf.x)) - reach,
    top: Math.min(...leaves.map((leaf) => leaf.y)) - reach,
    right: Math.max(...leaves.map((leaf) => leaf.x)) + reach,
    bottom: y,
  };
}

/** A point on a leaf or a twig: its number, light and share of green. */
export interface Foliage {
  /** 0 for none. */
  index: number;
  light: number;
}

/** Samples a sprig at a point of the picture; the last leaves are in front. */
export function sampleSprig(sprig: Sprig, x: number, y: number, into: Foliage): void {
  into.index = 0;
  if (x < sprig.left || x > sprig.right || y < sprig.top || y > sprig.bottom) return;
  for (let k = sprig.leaves.length - 1; k >= 0; k--) {
    const leaf = sprig.leaves[k];
    const px = x - leaf.x;
    const py = y - leaf.y;
    const { dx, dy, long, wide, tone } = leaf;
    if (Math.abs(px) > long || Math.abs(py) > long) continue;
    const along = (px * dx + py * dy) / long;
    const across = (py * dx - px * dy) / wide;
    if (along * along + across * across > 1) continue;
    into.index = k + 2;
    const vein = 0.9 + 0.1 * smoothstep(0.02, 0.1, Math.abs(across));
    // Both halves have different slopes to the light from the left.
    const half = across * dy > 0 ? 1.08 : 0.9;
    into.light = (0.62 + 0.42 * tone) * vein * half * (0.92 + 0.12 * along);
    return;
  }
  for (const twig of sprig.twigs) {
    if (distanceTo(twig, x, y) > twig.half) continue;
    into.index = 1;
    into.light = 0.5;
    return;
  }
}

/** Returns the share of light that a sprig removes at a point, with a softness of `blur` units. */
export function shadowOfSprig(sprig: Sprig, x: number, y: number, blur: number): number {
  const outside =
    x < sprig.left - blur ||
    x > sprig.right + blur ||
    y < sprig.top - blur ||
    y > sprig.bottom + blur;
  if (outside) return 0;
  let free = 1;
  for (let k = 0; k < sprig.leaves.length; k++) {
    const leaf = sprig.leaves[k];
    const px = x - leaf.x;
    const py = y - leaf.y;
    const { dx, dy, long, wide } = leaf;
    const reach = long + 2 * blur;
    if (Math.abs(px) > reach || Math.abs(py) > reach) continue;
    const along = px * dx + py * dy;
    const across = py * dx - px * dy;
    const beyond = (length2(along / long, across / wide) - 1) * wide;
    free *= 1 - 0.75 * smoothstep(blur, -blur, beyond);
  }
  return 1 - free;
}

function distanceTo({ x, y, toX, toY }: Twig, px: number, py: number): number {
  const [dx, dy] = [toX - x, toY - y];
  const share = ((px - x) * dx + (py - y) * dy) / (dx * dx + dy * dy);
  const at = Math.min(Math.max(share, 0), 1);
  return length2(px - x - at * dx, py - y - at * dy);
}
