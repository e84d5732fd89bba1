/** The levels of the session's sources, fetched as fine as renders need them. */
import {
  continueLevels,
  LIMITS,
  levelSize,
  markOutdated,
  octaveWithin,
  prepareLevels,
  type SourceLevels,
} from "../../engine/core.ts";
import { patientFetch } from "../patient-fetch.ts";
import { decodePng } from "./decode-png.ts";
import type { Access, Order } from "./protocol.ts";

type Source = Order["source"];

/** Pixels of the first level that is fetched: enough for small pictures. */
const FIRST_PIXELS = 2 ** 16;

/** Sources whose levels are kept. */
const KEPT = 3;

export interface Levels {
  /** Resolves with the levels of a source, the finest ones of those fetched so far. */
  of(source: Source): Promise<SourceLevels>;
  /**
   * Fetches a level that `of` lacks. Where no level as fine is sent, the finest one that is takes the place
   * of the source itself: such a picture is softer than the server's.
   */
  fetch(source: Source, level: number): Promise<void>;
}

/** Creates the levels of a session. Both functions reject with an Error that says why not. */
export function createLevels({ api, token }: Access): Levels {
  const known = new Map<string, SourceLevels>();

  const imageOf = async ({ id, png }: Source, level: number) => {
    const headers = { ...(token && { Authorization: `Bearer ${token}` }) };
    const address = new URL(png ?? `sources/${id}/levels/${level}`, api);
    const response = await patientFetch(address, { headers }, true);
    if (!response.ok) throw new Error((await response.json()).detail);
    return decodePng(new Uint8Array(await response.arrayBuffer()));
  };
  const keep = (source: Source, levels: SourceLevels) => {
    const old = known.get(source.sha256);
    if (old !== undefined) markOutdated(old.memory);
    known.delete(source.sha256);
    known.set(source.sha256, levels);
    const [oldest] = known.keys();
    if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
    return levels;
  };
  const fetchFrom = async (source: Source, octave: number) =>
    keep(source, continueLevels(source, octave, await imageOf(source, octave)));

  return {
    of: async (source) =>
      known.get(source.sha256) ?? fetchFrom(source, octaveWithin(source, FIRST_PIXELS)),
    async fetch(source, level) {
      const octave = level - (level % 2);
      const { width, height } = levelSize(source, octave);
      const { levelPixels } = LIMITS.source;
      if (width * height <= levelPixels) await fetchFrom(source, octave);
      else {
        const finest = octaveWithin(source, levelPixels);
        keep(source, await prepareLevels(await imageOf(source, finest)));
      }
    },
  };
}
