/** Levels of sources, for editors that render themselves. */
import type { Source } from "../../db/index.ts";
import { LIMITS, lastLevel, levelSize } from "../../engine/index.ts";
import { ownerOf } from "./accounts.ts";
import { NotFound } from "./errors.ts";
import type { Services } from "./services.ts";
import { getSource, readSourceImage } from "./sources.ts";

/** Most pixels of a level that is sent. */
export const LEVEL_PIXELS = LIMITS.source.levelPixels;

/** Returns a source that has a level which may be sent. Throws NotFound. */
export async function getSourceOfLevel(
  services: Services,
  accountId: number,
  id: number,
  level: number,
): Promise<Source> {
  const source = await getSource(services, accountId, id);
  const { width, height } = levelSize(source, level);
  if (level <= lastLevel(source) && width * height <= LEVEL_PIXELS) return source;
  throw new NotFound(`level ${level} of source ${id}`);
}

/**
 * Returns a level of a source as a PNG. Throws SourceMissing, SourceUnreadable, Overloaded, and the
 * reason of `signal`.
 */
export async function encodeLevel(
  services: Services,
  { account_id, sha256 }: Pick<Source, "account_id" | "sha256">,
  level: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const bytes = await readSourceImage(services, sha256);
  const request = { source: { sha256, bytes }, level };
  return services.engine.encodeLevel(request, signal, ownerOf(account_id));
}
