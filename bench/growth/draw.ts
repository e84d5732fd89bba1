/** Where the plot of growth lies, and how it gets there. */
import { mkdir, writeFile } from "node:fs/promises";
import { describeEnvironment } from "../harness/environment.ts";
import { counted } from "../harness/format-table.ts";
import type { Growth } from "../harness/results-folder.ts";
import { growthPlot } from "./plot.ts";

/** From the root of the project. */
export const GROWTH_PLOT = "docs/images/performance/growth.svg";

/** Draws a measurement of growth into the documentation, over what was there. */
export async function drawGrowth({ environment, growth, rounds }: Growth): Promise<void> {
  const file = new URL(`../../${GROWTH_PLOT}`, import.meta.url);
  const caption = `Medians of ${counted(rounds, "run")}. ${describeEnvironment(environment)}; commit ${environment.commit}`;
  await mkdir(new URL(".", file), { recursive: true });
  await writeFile(file, growthPlot(growth, caption));
}
