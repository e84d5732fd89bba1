/** Parts of flowers: rings of petals, discs, dots, stamens. */
import type { Linear } from "../../lib/colour.ts";
import { between, type Random } from "../../lib/random.ts";
import type { Petal } from "./petal.ts";

/** Parameters of a flower; lengths in edges of the picture. */
export interface Bloom {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly petal: Linear;
  readonly heart: Linear;
  readonly ink: Linear;
  readonly random: Random;
}

/** Draws a flower; its petals come in painting order. */
export type Flower = (bloom: Bloom) => Petal[];

type Style = Omit<Petal, "x" | "y" | "angle">;

/** `count` petals around the middle, growing from `inner` outwards, each a little different. */
export function ring(
  bloom: Bloom,
  count: number,
  turn: number,
  inner: number,
  style: Style,
): Petal[] {
  return Array.from({ length: count }, (_, index) => {
    const angle = turn + ((index + between(bloom.random, -0.09, 0.09)) / count) * 2 * Math.PI;
    const stretch = between(bloom.random, 0.93, 1.05);
    return {
      ...style,
      x: bloom.x + Math.cos(angle) * inner,
      y: bloom.y + Math.sin(angle) * inner,
      angle,
      length: style.length * stretch,
      bend: (style.bend ?? 0) + between(bloom.random, -0.06, 0.06),
      shade: (style.shade ?? 0) * between(bloom.random, 0.7, 1.3),
    };
  });
}

/** A disc, drawn as the petal whose outline is a circle. */
export function disc(
  x: number,
  y: number,
  radius: number,
  style: Partial<Petal> & Pick<Petal, "from">,
): Petal {
  return {
    to: style.from,
    ...style,
    x: x - radius,
    y,
    angle: 0,
    length: 2 * radius,
    halfWidth: radius,
  };
}

/** A soft, small shadow under a flower, down and to the right. */
export function shadow(bloom: Bloom): Petal {
  const { x, y, radius, ink } = bloom;
  const shift = radius * 0.07;
  return disc(x + shift, y + shift, radius * 1.06, {
    from: ink,
    soft: radius * 0.4,
    opacity: 0.5,
  });
}

/** Dots in a ring, evenly spread. */
export function dots(
  bloom: Bloom,
  count: number,
  at: number,
  size: number,
  colour: Linear,
): Petal[] {
  const turn = bloom.random() * 2 * Math.PI;
  return Array.from({ length: count }, (_, index) => {
    const angle = turn + (index / count) * 2 * Math.PI;
    const away = at * between(bloom.random, 0.93, 1.07);
    const x = bloom.x + Math.cos(angle) * away;
    const y = bloom.y + Math.sin(angle) * away;
    return disc(x, y, size * between(bloom.random, 0.8, 1.15), { from: colour });
  });
}

/** Filaments with a dot at the end of each. */
export function stamens(
  bloom: Bloom,
  count: number,
  reach: number,
  line: Linear,
  head: Linear,
): Petal[] {
  const { radius } = bloom;
  const turn = bloom.random() * 2 * Math.PI;
  return Array.from({ length: count }, (_, index) => {
    const angle = turn + ((index + between(bloom.random, -0.25, 0.25)) / count) * 2 * Math.PI;
    const length = reach * between(bloom.random, 0.72, 1.05);
    const x = bloom.x + Math.cos(angle) * length;
    const y = bloom.y + Math.sin(angle) * length;
    return [
      { x: bloom.x, y: bloom.y, angle, length, halfWidth: radius * 0.012, from: line, to: line },
      disc(x, y, radius * 0.032, { from: head }),
    ];
  }).flat();
}
