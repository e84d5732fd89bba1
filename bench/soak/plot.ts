/** Plot of what a service uses over time: a small panel for each series, with the line of its slope. */
import { COLOURS, escaped, FAINT, MUTED, place, svg } from "../harness/svg.ts";
import { type Soak, type SoakSeries, slopeOf } from "./soak.ts";

const WIDTH = 900;
const COLUMNS = 4;
const PANEL = { width: 170, height: 90 };
const CELL = { left: 40, top: 44, width: 220, height: 172 };

/**
 * Draws a run as an SVG on white; faults are ticks on the time axis.
 * @param caption one line about machine and commit
 */
export function soakPlot(run: Soak, caption: string): string {
  const rows = Math.ceil(run.soak.length / COLUMNS);
  const height = rows * CELL.height + 30;
  const title = "What the service uses over time";
  return svg({ width: WIDTH, height, title }, [
    ...run.soak.map((series, at) => drawPanel(run, series, at)),
    `<text x="${CELL.left}" y="${height - 10}" font-size="10.5" fill="${MUTED}">${escaped(caption)}</text>`,
  ]);
}

function drawPanel({ minutes, faults }: Soak, { name, unit, values }: SoakSeries, at: number) {
  const left = CELL.left + (at % COLUMNS) * CELL.width;
  const top = CELL.top + Math.floor(at / COLUMNS) * CELL.height;
  const bottom = top + PANEL.height;
  const end = minutes[minutes.length - 1];
  const most = roundUp(Math.max(...values));
  const x = (minute: number) => place(left + (PANEL.width * minute) / end);
  const y = (value: number) => place(bottom - (PANEL.height * value) / most);
  const line = values.map((value, index) => `${x(minutes[index])} ${y(value)}`).join("L");
  const { perHour, plusMinus } = slopeOf(minutes, values);
  const times = Object.values(faults).flat();
  const ticks = times.map((minute) => `M${x(minute)} ${bottom}v5`).join("");
  const row = (value: number) =>
    `<path d="M${left} ${y(value)}h${PANEL.width}" stroke="${FAINT}"/><text x="${left - 4}" y="${y(value)}" dy=".32em" font-size="10" text-anchor="end">${value}</text>`;
  return [
    `<text x="${left}" y="${top - 24}" font-weight="600">${escaped(name)}</text>`,
    `<text x="${left}" y="${top - 9}" font-size="10.5" fill="${MUTED}">${escaped(describeSlope({ perHour, plusMinus }, unit))}</text>`,
    row(0),
    row(most),
    `<path d="${ticks}" stroke="${COLOURS[1]}"/>`,
    `<text x="${left}" y="${bottom + 17}" font-size="10">0</text>`,
    `<text x="${left + PANEL.width}" y="${bottom + 17}" font-size="10" text-anchor="end">${Math.round(end)} min</text>`,
    `<path d="M${line}" fill="none" stroke="${COLOURS[0]}" stroke-width="1.5"/>`,
  ].join("\n");
}

/** Describes a slope, such as `+3.1 ± 4 MB an hour`. */
export function describeSlope(
  { perHour, plusMinus }: { readonly perHour: number; readonly plusMinus: number },
  unit: string,
): string {
  const digits = Math.max(0, 1 - Math.floor(Math.log10(Math.max(plusMinus, 1e-9))));
  const format = (value: number) => value.toFixed(Math.min(digits, 2));
  const sign = perHour < 0 ? "−" : "+";
  return `${sign}${format(Math.abs(perHour))} ± ${format(plusMinus)}${unit === "" ? "" : ` ${unit}`} an hour`;
}

/** Returns the next of 1, 2, 5, 10, 20 … */
function roundUp(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 2, 5, 10].map((step) => step * decade).find((step) => step >= value) ?? decade;
}
