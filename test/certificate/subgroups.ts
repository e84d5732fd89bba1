/**
 * The subgroups of each group, from the International Tables' positions, by trying cells and
 * origins, without the engine's geometry.
 *
 * All points are in fractions of the true group's conventional cell.
 */
import type { GroupName } from "../../engine/index.ts";
import { allPositions, positionFunction, tableRow } from "../helpers/symmetry.ts";

type Vector = readonly [number, number];

/** x → (a·x + b·y + e, c·x + d·y + f). */
interface Operation {
  readonly linear: readonly [number, number, number, number];
  readonly shift: Vector;
}

/** Origins are tried in steps of 1/24 of the cell: halves, thirds and eighths. */
const STEPS = 24;

function operation(position: string): Operation {
  const image = positionFunction(position);
  const [e, f] = image(0, 0);
  const [a, c] = image(1, 0);
  const [b, d] = image(0, 1);
  return { linear: [a - e, b - e, c - f, d - f], shift: [e, f] };
}

/** Periods of a square tile that the engine renders: one cell, or 7 × 4 hexagonal ones. */
const periodsOf = (name: GroupName): readonly Vector[] =>
  tableRow(name).lattice === "hexagonal"
    ? [
        [7, 0],
        // The rectangular cell's height is a + 2b.
        [4, 8],
      ]
    : [
        [1, 0],
        [0, 1],
      ];

/** Whether a tile of `larger` has all operations of `smaller`, in some cell about some origin. */
export function contains(larger: GroupName, smaller: GroupName): boolean {
  const has = allPositions(tableRow(larger)).map(operation);
  const wanted = tableRow(smaller).positions.map(operation);
  for (const [p, q] of cells(larger, smaller)) {
    const laid = wanted.map((one) => inTrueCell(one, p, q));
    const linearIsThere = laid.every(({ linear }) => has.some((own) => same(own.linear, linear)));
    if (linearIsThere && origins().some((origin) => laid.every((one) => at(one, origin, has)))) {
      return true;
    }
  }
  return false;
}

/** Edges of conventional cells whose lattice is between the tile's periods and all translations. */
function cells(larger: GroupName, smaller: GroupName): [Vector, Vector][] {
  const step = tableRow(larger).centred ? 0.5 : 1;
  const numbers = Array.from({ length: 4 / step + 1 }, (_, i) => i * step - 2);
  const isTranslation = ([x, y]: Vector) =>
    (isWhole(x) && isWhole(y)) || (step === 0.5 && isWhole(x + 0.5) && isWhole(y + 0.5));
  const vectors = numbers.flatMap((x) => numbers.map((y): Vector => [x, y])).filter(isTranslation);
  const { centred } = tableRow(smaller);
  const found: [Vector, Vector][] = [];
  for (const p of vectors) {
    for (const q of vectors) {
      const area = p[0] * q[1] - p[1] * q[0];
      if (area === 0) continue;
      const middle: Vector = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
      if (centred && !isTranslation(middle)) continue;
      const holdsPeriod = ([x, y]: Vector) => {
        const i = (x * q[1] - y * q[0]) / area;
        const j = (p[0] * y - p[1] * x) / area;
        return (isWhole(i) && isWhole(j)) || (centred && isWhole(i + 0.5) && isWhole(j + 0.5));
      };
      if (periodsOf(larger).every(holdsPeriod)) found.push([p, q]);
    }
  }
  return found;
}

/** An operation given in fractions of the cell p, q. */
function inTrueCell({ linear: [a, b, c, d], shift: [e, f] }: Operation, p: Vector, q: Vector) {
  const area = p[0] * q[1] - p[1] * q[0];
  // Columns of C·W, then times C⁻¹.
  const first = [p[0] * a + q[0] * c, p[1] * a + q[1] * c] as const;
  const second = [p[0] * b + q[0] * d, p[1] * b + q[1] * d] as const;
  const linear = [
    (first[0] * q[1] - second[0] * p[1]) / area,
    (-first[0] * q[0] + second[0] * p[0]) / area,
    (first[1] * q[1] - second[1] * p[1]) / area,
    (-first[1] * q[0] + second[1] * p[0]) / area,
  ] as const;
  const shift: Vector = [p[0] * e + q[0] * f, p[1] * e + q[1] * f];
  return { linear, shift };
}

const origins = () =>
  Array.from(
    { length: STEPS ** 2 },
    (_, i): Vector => [(i % STEPS) / STEPS, Math.floor(i / STEPS) / STEPS],
  );

/** Whether an operation about an origin belongs to a group, up to whole translations. */
function at({ linear, shift }: Operation, [x, y]: Vector, has: readonly Operation[]): boolean {
  const [a, b, c, d] = linear;
  const [e, f] = [shift[0] + x - a * x - b * y, shift[1] + y - c * x - d * y];
  return has.some(
    (own) => same(own.linear, linear) && isWhole(e - own.shift[0]) && isWhole(f - own.shift[1]),
  );
}

const isWhole = (value: number) => Math.abs(value - Math.round(value)) < 1e-9;

const same = (one: readonly number[], other: readonly number[]) =>
  one.every((value, i) => Math.abs(value - other[i]) < 1e-9);
