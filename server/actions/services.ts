/** What the actions work with; made once by the composition root. */
import type { Database } from "../../db/index.ts";
import type { Engine } from "../../engine/index.ts";
import type { SourceShelf } from "./source-shelf.ts";

export type { Account, Database, Pattern } from "../../db/index.ts";
export type { Rendering, Timings } from "../../engine/index.ts";

export interface Services {
  readonly db: Database;
  readonly engine: Engine;
  /** The uploaded bytes of sources, from the database or from memory. */
  readonly sources: SourceShelf;
}
