/** All cases, in the order in which they run. */
import type { BenchCase } from "../harness/case.ts";
import { everyGroup } from "./every-group.ts";
import { gpu } from "./gpu.ts";
import { hostile } from "./hostile.ts";
import { httpRepeats } from "./http-repeats.ts";
import { httpTiles } from "./http-tiles.ts";
import { largestSheet } from "./large-sheet.ts";
import { overload } from "./overload.ts";
import { p4mTile } from "./p4m-tile.ts";
import { periodicSheet } from "./periodic-sheet.ts";
import { png } from "./png.ts";
import { pool } from "./pool.ts";

export const cases: readonly BenchCase[] = [
  p4mTile,
  everyGroup,
  png,
  periodicSheet,
  largestSheet,
  pool,
  httpRepeats,
  httpTiles,
  gpu,
  overload,
  hostile,
];
