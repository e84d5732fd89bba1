/** Layouts of dots: periodic lattices and packed circles. */
import { between, pick, type Random, shuffled, whole } from "../../lib/random.ts";
import { type Spot, scatter } from "../../lib/torus.ts";

/** A place of a lattice; `radius` is half the distance to its nearest neighbour. */
export interface Place extends Spot {
  readonly column: number;
  readonly row: number;
}

/** `columns` × `rows` places, every second row (or column) moved by half a step where wanted. */
export function lattice(columns: number, rows: number, drop: "none" | "row" | "column"): Place[] {
  return Array.from({ length: columns * rows }, (_, index) => {
    const column = index % columns;
    const row = Math.floor(index / columns);
    const shiftX = drop === "row" && row % 2 === 1 ? 0.5 : 0;
    const shiftY = drop === "column" && column % 2 === 1 ? 0.5 : 0;
    const near =
      drop === "none"
        ? Math.min(1 / columns, 1 / rows)
        : Math.min(
            drop === "row" ? 1 / columns : 1 / rows,
            drop === "row"
              ? Math.hypot(0.5 / columns, 1 / rows)
              : Math.hypot(1 / columns, 0.5 / rows),
          );
    return {
      x: (column + 0.25 + shiftX) / columns,
      y: (row + 0.25 + shiftY) / rows,
      radius: near / 2,
      column,
      row,
    };
  });
}

/** Returns a random lattice: square, diagonal or hexagonal. */
export function randomLattice(random: Random, least: number, most: number): Place[] {
  const count = 2 * whole(random, Math.ceil(least / 2), Math.floor(most / 2));
  return pick(random, [
    () => lattice(count, count, "none"),
    () => lattice(Math.ceil(count / 2), count, "row"),
    () => lattice(count, 2 * Math.round(count * 0.577), "row"),
    () => lattice(2 * Math.round(count * 0.577), count, "column"),
  ])();
}

/** Spots of many sizes, packed without overlap; large ones first. */
export function packed(random: Random, largest: number): Spot[] {
  const large = scatter(random, [], {
    count: whole(random, 5, 9),
    smallest: largest * 0.6,
    largest,
    candidates: 30,
  });
  const medium = scatter(random, large, {
    count: whole(random, 14, 30),
    smallest: largest * 0.25,
    largest: largest * 0.55,
    candidates: 40,
  });
  const small = scatter(random, [...large, ...medium], {
    count: 130,
    smallest: largest * 0.06,
    largest: largest * 0.22,
    candidates: 30,
  });
  return [...large, ...medium, ...small];
}

/** A smooth field 0…1 that closes: a few waves across and down. */
export function swell(random: Random): (x: number, y: number) => number {
  const waves = shuffled(random, [
    [1, 0],
    [0, 1],
    [1, 1],
    [1, -1],
    [2, 1],
  ])
    .slice(0, 2)
    .map(([across, down]) => ({
      across,
      down,
      begin: random(),
      weight: between(random, 0.6, 1),
    }));
  const sum = waves.reduce((total, { weight }) => total + weight, 0);
  return (x, y) =>
    0.5 +
    (0.5 / sum) *
      waves.reduce(
        (total, { across, down, begin, weight }) =>
          total + weight * Math.sin(2 * Math.PI * (across * x + down * y + begin)),
        0,
      );
}
