/** Writes the plot of growth into the documentation. */
import { mkdir, writeFile } from "node:fs/promises";
import { describeEnvironment } from "../harness/environment.ts";
import { counted } from "../harness/format-table.ts";
import type { Growth } from "../harness/results-folder.ts";
import { growthPlot } from "./plot.ts";

/** Relative to the root of the project. */
export const GROWTH_PLOT = "docs/images/performance/growth.svg";

/** Draws a measurement of growth and replaces the plot of the documentation. */
export async function drawGrowth({ environment, growth, rounds }: Growth): Promise<void> {
  const file = new URL(`../../${GROWTH_PLOT}`, import.meta.url);
  const caption = `Medians of ${counted(rounds, "run")}. ${describeEnvironment(environment)}; commit ${environment.commit}`;
  await mkdir(new URL(".", file), { recursive: true });
  await writeFile(file, growthPlot(growth, caption));
}
