/** Series of growing renders, each in a new process. */
import { LIMITS, type RenderFields } from "../../engine/recipe/index.ts";
import { measureInChild } from "../harness/measured-child.ts";
import type { Report } from "../harness/progress.ts";
import { type Spread, spreadOf } from "../harness/statistics.ts";
import type { Cost } from "../tasks/task.ts";

export interface Series {
  readonly name: string;
  /** Largest side in pixels. */
  readonly largest: number;
  render(side: number): Partial<RenderFields>;
}

export interface Point {
  /** Pixels. */
  readonly side: number;
  readonly ms: Spread;
  /** Peak resident memory minus that of the idle process, MB. */
  readonly megabytes: Spread;
}

export interface GrownSeries {
  readonly name: string;
  readonly points: readonly Point[];
}

/** Pixels of the source's side, and of one cell of the sheets. */
const SOURCE = 1024;
const CELL = 256;

/** Pixels of the side of what is rendered before. */
const WARM_UP = 256;

const sheet = (side: number) =>
  ({ mode: "surface", surface_width: side, surface_height: side, cell: CELL }) as const;

export const SERIES: readonly Series[] = [
  { name: "tile", largest: LIMITS.tile.maximum, render: (size) => ({ size }) },
  {
    name: "periodic sheet",
    largest: LIMITS.surface.maximum,
    render: (side) => ({ ...sheet(side), surface_effects: [] }),
  },
  {
    name: "sheet with vignette, grain and paper",
    largest: LIMITS.surface.maximum,
    render: (side) => ({
      ...sheet(side),
      surface_effects: [{ id: "vignette" }, { id: "grain" }, { id: "paper" }],
    }),
  },
];

/** Powers of two from 256 up, and `end`. */
export function sidesUpTo(end: number): readonly number[] {
  const sides: number[] = [];
  for (let side = 256; side < end; side *= 2) sides.push(side);
  return [...sides, end];
}

/** Measures every series at all of its sizes, with series in turn. */
export async function measureGrowth(
  sides: readonly number[],
  rounds: number,
  report: Report,
): Promise<readonly GrownSeries[]> {
  const points = new Map<Series, Point[]>(SERIES.map((series) => [series, []]));
  for (const side of sides) {
    const costs = new Map<Series, Cost[]>();
    for (let round = 1; round <= rounds; round++) {
      for (const series of SERIES.filter(({ largest }) => side <= largest)) {
        report(`${side}², round ${round} of ${rounds}`, series.name);
        const task = { render: series.render(side), source: SOURCE, warmUp: WARM_UP };
        const cost = await measureInChild("render-to-file", task);
        costs.set(series, [...(costs.get(series) ?? []), cost]);
      }
    }
    for (const [series, list] of costs) {
      points.get(series)?.push({
        side,
        ms: spreadOf(list.map(({ ms }) => ms)),
        megabytes: spreadOf(list.map(({ megabytes }) => megabytes)),
      });
    }
  }
  return SERIES.map((series) => ({ name: series.name, points: points.get(series) ?? [] }));
}
