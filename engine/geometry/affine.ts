/** Affine maps of the plane: x′ = a·x + b·y + e, y′ = c·x + d·y + f. */

export interface Affine {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const IDENTITY: Affine = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };

export const translation = (x: number, y: number): Affine => ({ ...IDENTITY, e: x, f: y });

export const scaling = (x: number, y: number): Affine => ({ ...IDENTITY, a: x, d: y });

/** Returns the rotation by degrees from the x axis towards the y axis (clockwise on a screen). */
export function rotation(degrees: number): Affine {
  // Quarter turns are exact, so that they stay on the pixel grid.
  const quarters = degrees / 90;
  const cos = Number.isInteger(quarters)
    ? [1, 0, -1, 0][((quarters % 4) + 4) % 4]
    : Math.cos((degrees * Math.PI) / 180);
  const sin = Number.isInteger(quarters)
    ? [0, 1, 0, -1][((quarters % 4) + 4) % 4]
    : Math.sin((degrees * Math.PI) / 180);
  return { a: cos, b: -sin, c: sin, d: cos, e: 0, f: 0 };
}

/** Returns the composition of maps, last one first: compose(m, n)(p) = m(n(p)). */
export function compose(...maps: readonly Affine[]): Affine {
  return maps.reduce(product);
}

/** Returns the composition of two maps, the second first. */
export const product = (m: Affine, n: Affine): Affine => ({
  a: m.a * n.a + m.b * n.c,
  b: m.a * n.b + m.b * n.d,
  c: m.c * n.a + m.d * n.c,
  d: m.c * n.b + m.d * n.d,
  e: m.a * n.e + m.b * n.f + m.e,
  f: m.c * n.e + m.d * n.f + m.f,
});

/** Returns the area factor; negative for maps that reverse orientation. */
export const determinant = (m: Affine): number => m.a * m.d - m.b * m.c;

export function invert(m: Affine): Affine {
  const det = determinant(m);
  const a = m.d / det;
  const b = -m.b / det;
  const c = -m.c / det;
  const d = m.a / det;
  return { a, b, c, d, e: -(a * m.e + b * m.f), f: -(c * m.e + d * m.f) };
}

export const apply = (m: Affine, p: Point): Point => ({
  x: m.a * p.x + m.b * p.y + m.e,
  y: m.c * p.x + m.d * p.y + m.f,
});

/** Returns the map without its translation, as it acts on directions. */
export const linear = (m: Affine): Affine => ({ ...m, e: 0, f: 0 });
