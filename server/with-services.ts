/** Opens what the actions work with, and closes it again. */
import { join } from "node:path";
import { openDatabase } from "../db/index.ts";
import { createEngine } from "../engine/index.ts";
import { createGuestSessions } from "./actions/guest-sessions.ts";
import { createPatternShelf } from "./actions/pattern-shelf.ts";
import { createRenderLinks } from "./actions/render-links.ts";
import type { Services, Timings } from "./actions/services.ts";
import { createSourceShelf } from "./actions/source-shelf.ts";
import { createTokens, PEOPLES_TOKENS } from "./actions/tokens.ts";
import type { Config } from "./config.ts";
import { log } from "./log.ts";
import { createFetcher, createPoster } from "./outbound/index.ts";
import { openRenderCache } from "./render-cache/index.ts";

/** Bytes of sources that are kept in memory. */
const SHELF_BYTES = 64 * 1024 * 1024;

/** Patterns that are kept in memory. */
const SHELF_PATTERNS = 1000;

/** Bytes of renders that are kept in memory. */
const CACHE_MEMORY_BYTES = 128 * 1024 * 1024;

/** Everything but the addresses, which are known only once a port is. */
export type LocalServices = Omit<Services, "publicUrl" | "editorUrl">;

/**
 * Gives what `work` gives, with the services that the configuration asks for. Throws what opening the database
 * or the engine throws, and what `work` throws, with everything closed again.
 */
export async function withServices<Result>(
  config: Config,
  say: (line: string) => void,
  work: (services: LocalServices) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl: url, dataDir, outbound } = config;
  const db = await openDatabase({ ...(url && { url }), dataDir, log: say });
  try {
    const renders = await openRenderCache<Timings>({
      folder: join(dataDir, "cache", "renders"),
      maximumBytes: config.cacheBytes,
      memoryBytes: Math.min(config.cacheBytes, CACHE_MEMORY_BYTES),
      failed: (error) => log({ error }),
    });
    const engine = await createEngine(config.engine);
    try {
      return await work({
        db,
        engine,
        patterns: createPatternShelf(SHELF_PATTERNS),
        sources: createSourceShelf(db.sources, SHELF_BYTES),
        fetcher: createFetcher({ allow: outbound.allow, allowedHosts: outbound.sourceHosts }),
        poster: createPoster({ allow: outbound.allow }),
        renders,
        tokens: await createTokens(config.tokens, () => db.secrets.get(PEOPLES_TOKENS)),
        renderLinks: createRenderLinks(await db.secrets.get("render links")),
        guests: createGuestSessions(await db.secrets.get("guest sessions")),
        renderTimeoutMs: config.renderTimeoutMs,
        signUpsAreOpen: config.signUpsAreOpen,
      });
    } finally {
      await engine.close(config.shutdownGraceMs);
      await renders.close();
    }
  } finally {
    await db.close();
  }
}
