/** All cases, in the order in which they run. */
import type { BenchCase } from "../harness/case.ts";
import { everyGroup } from "./every-group.ts";
import { httpTiles } from "./http-tiles.ts";
import { p4mTile } from "./p4m-tile.ts";
import { png } from "./png.ts";

export const cases: readonly BenchCase[] = [p4mTile, everyGroup, png, httpTiles];
