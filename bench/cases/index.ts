/** All cases, in the order in which they run. */
import type { BenchCase } from "../harness/case.ts";
import { certificates, mcpTile } from "./certificates.ts";
import { editorCases } from "./editor.ts";
import { everyGroup } from "./every-group.ts";
import { firstTile } from "./first-tile.ts";
import { gpu } from "./gpu.ts";
import { hostile } from "./hostile.ts";
import { httpRepeats } from "./http-repeats.ts";
import { httpTiles } from "./http-tiles.ts";
import { largestSheet } from "./large-sheet.ts";
import { memory } from "./memory.ts";
import { mockups } from "./mockups.ts";
import { newP1, newP4m } from "./new-design.ts";
import { overload } from "./overload.ts";
import { p4mTile } from "./p4m-tile.ts";
import { periodicSheet } from "./periodic-sheet.ts";
import { photoEngine } from "./photo-engine.ts";
import { photoTiles } from "./photo-tiles.ts";
import { png } from "./png.ts";
import { pool } from "./pool.ts";
import { cutPreviews, previews } from "./previews.ts";
import { printFile } from "./print-file.ts";
import { start } from "./start.ts";

export const cases: readonly BenchCase[] = [
  newP4m,
  newP1,
  previews,
  cutPreviews,
  firstTile,
  ...editorCases,
  mcpTile,
  certificates,
  mockups,
  printFile,
  photoTiles,
  ...photoEngine,
  p4mTile,
  everyGroup,
  png,
  periodicSheet,
  largestSheet,
  pool,
  httpRepeats,
  httpTiles,
  start,
  gpu,
  memory,
  overload,
  hostile,
];
