/** The folder of stored results. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import type { GrownSeries } from "../growth/series.ts";
import type { Soak } from "../soak/soak.ts";
import type { Environment } from "./environment.ts";
import type { CaseResult } from "./run-case.ts";

/** A case that could not run on this machine. */
export interface LeftOut extends Pick<CaseResult, "name" | "number" | "title"> {
  readonly reason: string;
}

/** The results of one run of the benchmark. */
export interface Measured {
  readonly environment: Environment;
  readonly results: readonly CaseResult[];
  readonly leftOut?: readonly LeftOut[];
}

/** The results of one run of `growth`. */
export interface Growth {
  readonly environment: Environment;
  readonly rounds: number;
  readonly growth: readonly GrownSeries[];
}

const RESULTS = new URL("../results/", import.meta.url);

/**
 * Stores results as `DATE-COMMIT[-PART].json`, replacing a file of that name.
 * @returns the file's name
 */
export async function storeResults(
  measured: Measured | Growth | Soak,
  part: string,
): Promise<string> {
  const { date, commit } = measured.environment;
  const name = `${date.slice(0, 10)}-${commit}${part === "" ? "" : `-${part}`}.json`;
  await mkdir(RESULTS, { recursive: true });
  await writeFile(new URL(name, RESULTS), `${JSON.stringify(measured, null, 2)}\n`);
  return name;
}

export interface StoredResults {
  /** Its name in the folder. */
  readonly file: string;
  readonly content: Measured | Growth | Soak;
}

/** Returns all stored results, oldest first. */
export async function storedResults(): Promise<readonly StoredResults[]> {
  const files = (await readdir(RESULTS)).filter((name) => name.endsWith(".json"));
  const kept = await Promise.all(
    files.map(async (file): Promise<StoredResults> => {
      return { file, content: JSON.parse(await readFile(new URL(file, RESULTS), "utf8")) };
    }),
  );
  const dateOf = ({ content }: StoredResults) => Date.parse(content.environment.date);
  return kept.toSorted((a, b) => dateOf(a) - dateOf(b));
}
