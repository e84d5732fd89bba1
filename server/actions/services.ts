/** What the actions work with; made once by the composition root. */
import type { Database } from "../../db/index.ts";
import type { Engine, Timings } from "../../engine/index.ts";
import type { Fetcher, Poster } from "../outbound/index.ts";
import type { RenderCache } from "../render-cache/index.ts";
import type { GuestSessions } from "./guest-sessions.ts";
import type { PatternShelf } from "./pattern-shelf.ts";
import type { RenderLinks } from "./render-links.ts";
import type { SourceShelf } from "./source-shelf.ts";
import type { Tokens } from "./tokens.ts";

export type { Account, Database, Jobs, McpNode, Pattern } from "../../db/index.ts";
export type { Timings } from "../../engine/index.ts";

export interface Services {
  readonly db: Database;
  readonly engine: Engine;
  /** The way to outside addresses. */
  readonly fetcher: Fetcher;
  /** The way to webhooks. */
  readonly poster: Poster;
  /** Patterns whose version is known, from the database or from memory. */
  readonly patterns: PatternShelf;
  /** The uploaded bytes of sources, from the database or from memory. */
  readonly sources: SourceShelf;
  /** Pictures that were rendered. */
  readonly renders: RenderCache<Timings>;
  readonly tokens: Tokens;
  readonly renderLinks: RenderLinks;
  readonly guests: GuestSessions;
  /** What links in answers start with, without a slash at the end. */
  readonly publicUrl: string;
  /** Where the web editor is. */
  readonly editorUrl: string;
  /** How long a render may take. */
  readonly renderTimeoutMs: number;
  /** Whether people may make accounts for themselves. */
  readonly signUpsAreOpen: boolean;
}
