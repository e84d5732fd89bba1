/** Plot of time and memory by the side of the picture, both axes logarithmic. */
import { COLOURS, escaped, FAINT, MUTED, place, svg } from "../harness/svg.ts";
import { type LogAxis, logAxis } from "./log-axis.ts";
import type { GrownSeries, Point } from "./series.ts";

/** Markers, for print. */
const MARKS = [
  (x: string, y: string) => `<circle cx="${x}" cy="${y}" r="3.5"/>`,
  (x: string, y: string) => `<path d="M${x} ${y}m-3.5-3.5h7v7h-7z"/>`,
  (x: string, y: string) => `<path d="M${x} ${y}m0-4.5l4.2 7.5h-8.4z"/>`,
  (x: string, y: string) => `<path d="M${x} ${y}m0-4.6l4.6 4.6-4.6 4.6-4.6-4.6z"/>`,
];

const WIDTH = 900;
const HEIGHT = 440;
const PANEL = { width: 350, height: 300, top: 50 };
const PANEL_LEFTS = [72, 522];

interface Panel {
  readonly title: string;
  readonly unit: string;
  value(point: Point): number;
  label(value: number): string;
}

const PANELS: readonly Panel[] = [
  {
    title: "Time to the last byte",
    unit: "s",
    value: ({ ms }) => ms.median / 1000,
    label: (value) => String(value),
  },
  {
    title: "Peak memory over idle",
    unit: "MB (at least 1)",
    // Zero has no logarithm.
    value: ({ megabytes }) => Math.max(1, megabytes.median),
    label: (value) => value.toLocaleString("en"),
  },
];

/**
 * Draws the series as an SVG of 900 × 440 on white. Equal points return equal text.
 * @param caption one line about machine and commit
 */
export function growthPlot(series: readonly GrownSeries[], caption: string): string {
  const sides = [...new Set(series.flatMap(({ points }) => points.map(({ side }) => side)))];
  sides.sort((a, b) => a - b);
  const panels = PANELS.map((panel, at) => drawPanel(panel, series, sides, PANEL_LEFTS[at]));
  const title = "How time and memory grow with the side of the picture";
  return svg({ width: WIDTH, height: HEIGHT, title }, [
    ...panels,
    ...legend(series),
    `<text x="${PANEL_LEFTS[0]}" y="${HEIGHT - 10}" font-size="10.5" fill="${MUTED}">${escaped(caption)}</text>`,
  ]);
}

function drawPanel(
  { title, unit, value, label }: Panel,
  series: readonly GrownSeries[],
  sides: readonly number[],
  left: number,
): string {
  const across = sideAxis(sides);
  const up = logAxis(series.flatMap(({ points }) => points.map(value)));
  const x = (side: number) => place(left + PANEL.width * across.at(side));
  const y = (amount: number) => place(PANEL.top + PANEL.height * (1 - up.at(amount)));
  const right = left + PANEL.width;
  const bottom = PANEL.top + PANEL.height;
  const rows = up.decades.map(
    (decade) =>
      `<path d="M${left} ${y(decade)}H${right}" stroke="${FAINT}"/><text x="${left - 8}" y="${y(decade)}" dy=".32em" text-anchor="end">${label(decade)}</text>`,
  );
  const columns = sides.map(
    (side) =>
      `<path d="M${x(side)} ${PANEL.top}V${bottom}" stroke="${FAINT}"/><text transform="translate(${x(side)} ${bottom + 14}) rotate(-30)" text-anchor="end">${side}</text>`,
  );
  const lines = series.map(({ points }, at) => {
    const path = points.map((point) => `${x(point.side)} ${y(value(point))}`).join("L");
    const marks = points.map((point) => MARKS[at % MARKS.length](x(point.side), y(value(point))));
    const colour = COLOURS[at % COLOURS.length];
    return `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/><g fill="${colour}">${marks.join("")}</g>`;
  });
  return [
    `<text x="${left}" y="${PANEL.top - 28}" font-size="14" font-weight="600">${title}</text>`,
    `<text x="${left}" y="${PANEL.top - 12}" fill="${MUTED}">${unit}, over the side in pixels</text>`,
    ...rows,
    ...columns,
    ...lines.filter((_, at) => series[at].points.length > 0),
  ].join("\n");
}

/** From the first side to the last, without decades. */
function sideAxis(sides: readonly number[]): Pick<LogAxis, "at"> {
  const first = Math.log(sides[0]);
  const span = Math.log(sides[sides.length - 1]) - first || 1;
  return { at: (side) => (Math.log(side) - first) / span };
}

function legend(series: readonly GrownSeries[]): string[] {
  let left = PANEL_LEFTS[0];
  return series.map(({ name }, at) => {
    const colour = COLOURS[at % COLOURS.length];
    const mark = MARKS[at % MARKS.length](String(left + 4), String(HEIGHT - 36));
    const text = `<g fill="${colour}">${mark}</g><text x="${left + 14}" y="${HEIGHT - 36}" dy=".32em">${escaped(name)}</text>`;
    left += 44 + 6.4 * name.length;
    return text;
  });
}
