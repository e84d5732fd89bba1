/** The shapes that blocks are painted with, as signed distances in edges of the block. */

/** A place in a block: from its upper left corner, from its middle, and its distance from there. */
export interface Place {
  readonly p: number;
  readonly q: number;
  readonly a: number;
  readonly b: number;
  readonly radius: number;
}

/** Distances to the three shapes of a block, positive inside. */
export interface Shapes {
  readonly first: number;
  readonly second: number;
  readonly third: number;
}

/** Quarter rings around a corner. */
export function quarterRings(at: Place): Shapes {
  const { p, q } = at;
  const corner = Math.sqrt(p * p + q * q);
  return {
    first: 1 - corner,
    second: 0.72 - corner,
    third: 0.4 - corner,
  };
}

/** Two half discs, one over the other, and a dot. */
export function halfDiscs(at: Place): Shapes {
  const { q, a, b, radius } = at;
  return {
    first: 0.5 - Math.sqrt(a * a + q * q),
    second: Math.min(0.5 - radius, b),
    third: 0.11 - Math.sqrt(a * a + (q - 0.2) * (q - 0.2)),
  };
}

/** A triangle, a band along its long side, the tip opposite. */
export function triangle(at: Place): Shapes {
  const { p, q } = at;
  const slant = (q - p) * Math.SQRT1_2;
  return {
    first: slant,
    second: Math.min(slant - 0.14, 0.28 - slant),
    third: -slant - 0.42,
  };
}

/** Stripes behind a disc. */
export function stripesBehindDisc(at: Place): Shapes {
  const { p, b, radius } = at;
  const stripe = p * 4 - Math.floor(p * 4);
  return {
    first: (0.25 - Math.abs(stripe - 0.5)) * 0.25,
    second: 0.34 - radius,
    third: Math.min(0.34 - radius, b),
  };
}

/** Rings. */
export function rings(at: Place): Shapes {
  const { radius } = at;
  return {
    first: 0.46 - radius,
    second: 0.32 - radius,
    third: 0.15 - radius,
  };
}

/** A leaf from corner to corner with its midrib. */
export function leafWithMidrib(at: Place): Shapes {
  const { p, q } = at;
  const leaf = Math.min(
    1 - Math.sqrt(p * p + (1 - q) * (1 - q)),
    1 - Math.sqrt((1 - p) * (1 - p) + q * q),
  );
  return {
    first: leaf,
    second: leaf - 0.13,
    third: Math.min(0.012 - Math.abs(p - q) * Math.SQRT1_2, leaf - 0.03),
  };
}

/** Four leaves around a dot. */
export function fourLeaves(at: Place): Shapes {
  const { a, b, radius } = at;
  const s = Math.abs(a) * 2;
  const t = Math.abs(b) * 2;
  const leaf = Math.min(
    1 - Math.sqrt(s * s + (1 - t) * (1 - t)),
    1 - Math.sqrt((1 - s) * (1 - s) + t * t),
  );
  return {
    first: leaf * 0.5,
    second: leaf * 0.5 - 0.06,
    third: 0.1 - radius,
  };
}

/** Three by three dots, the middle one in another colour. */
export function nineDots(at: Place): Shapes {
  const { p, q, radius } = at;
  const s = p * 3 - Math.floor(p * 3) - 0.5;
  const t = q * 3 - Math.floor(q * 3) - 0.5;
  const first = (0.3 - Math.sqrt(s * s + t * t)) / 3;
  return {
    first,
    second: Math.min(first, 0.17 - radius),
    third: -1,
  };
}

/** An arch. */
export function arch(at: Place): Shapes {
  const { q, a } = at;
  const arch = Math.sqrt(a * a + (1 - q) * (1 - q));
  return {
    first: 0.5 - arch,
    second: 0.36 - arch,
    third: 0.19 - arch,
  };
}

/** A disc in a diamond. */
export function discInDiamond(at: Place): Shapes {
  const { a, b, radius } = at;
  return {
    first: (0.5 - Math.abs(a) - Math.abs(b)) * Math.SQRT1_2,
    second: 0.23 - radius,
    third: 0.09 - radius,
  };
}

/** A chequerboard. */
export function chequerboard(at: Place): Shapes {
  const { p, q } = at;
  const s = p * 2 - Math.floor(p * 2) - 0.5;
  const t = q * 2 - Math.floor(q * 2) - 0.5;
  const edge =
    0.5 *
    Math.min(Math.min(Math.abs(s), 0.5 - Math.abs(s)), Math.min(Math.abs(t), 0.5 - Math.abs(t)));
  return {
    first: s * t > 0 ? edge : -edge,
    second: -1,
    third: -1,
  };
}

/** Two rows of scallops. */
export function scallops(at: Place): Shapes {
  const { p, q } = at;
  const s = p * 2 - Math.floor(p * 2) - 0.5;
  const t = q * 2 - Math.floor(q * 2);
  const scallop = Math.sqrt(s * s + t * t);
  return {
    first: (0.5 - scallop) * 0.5,
    second: (0.31 - scallop) * 0.5,
    third: (0.12 - scallop) * 0.5,
  };
}

/** Angles inside each other. */
export function angles(at: Place): Shapes {
  const { p, q } = at;
  const far = Math.max(p, q);
  return {
    first: 0.8 - far,
    second: 0.6 - far,
    third: Math.min(0.4 - far, far - 0.2),
  };
}

/** A disc, half of it in another colour. */
export function halvedDisc(at: Place): Shapes {
  const { a, b, radius } = at;
  return {
    first: 0.43 - radius,
    second: Math.min(0.43 - radius, (a + b) * Math.SQRT1_2),
    third: 0.13 - radius,
  };
}

/** Two quarter discs in opposite corners. */
export function cornerDiscs(at: Place): Shapes {
  const { p, q } = at;
  const near = Math.sqrt(p * p + q * q);
  const far = Math.sqrt((1 - p) * (1 - p) + (1 - q) * (1 - q));
  return {
    first: 0.62 - Math.min(near, far),
    second: Math.max(0.42 - near, 0.42 - far),
    third: Math.max(0.2 - near, 0.2 - far),
  };
}

/** All kinds of shapes, in the numbering of blocks. */
export const SHAPES = [
  quarterRings,
  halfDiscs,
  triangle,
  stripesBehindDisc,
  rings,
  leafWithMidrib,
  fourLeaves,
  nineDots,
  arch,
  discInDiamond,
  chequerboard,
  scallops,
  angles,
  halvedDisc,
  cornerDiscs,
];
