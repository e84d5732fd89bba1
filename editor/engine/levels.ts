/** The levels of the session's sources, as fine as renders have needed them so far. */
import { octaveWithin, openLevels, type SourceLevels } from "../../engine/core.ts";
import type { LevelReply, LevelRequest, ShownSource } from "./protocol.ts";
import { WorkerError } from "./worker-error.ts";

/** Pixels of the first level: enough for small pictures. */
const FIRST_PIXELS = 2 ** 16;

/** Sources whose levels are kept. */
const KEPT = 3;

export interface Levels {
  /** Resolves with the levels of a source, the finest ones of those made so far. */
  of(source: ShownSource): Promise<SourceLevels>;
  /** Has a level made that `of` lacks. */
  refine(source: ShownSource, level: number): Promise<void>;
}

/**
 * Creates the levels of a session. Both functions reject with a `WorkerError`: the source was deleted, or the
 * network failed.
 * @param port of what makes levels
 */
export function createLevels(port: MessagePort): Levels {
  const known = new Map<string, SourceLevels>();
  /** What was asked for and has not come, by source and level. */
  const coming = new Map<string, Promise<SourceLevels>>();
  const replies = new Map<number, (reply: LevelReply) => void>();
  let requests = 0;
  port.onmessage = ({ data }: MessageEvent<LevelReply>) => {
    replies.get(data.number)?.(data);
    replies.delete(data.number);
  };

  const ask = async (source: ShownSource, level: number) => {
    const number = ++requests;
    const reply = await new Promise<LevelReply>((resolve) => {
      replies.set(number, resolve);
      port.postMessage({ number, source, level } satisfies LevelRequest);
    });
    if ("failure" in reply) throw new WorkerError(reply.failure);
    return keep(source, openLevels({ memory: reply.memory, start: 0 }));
  };
  const keep = (source: ShownSource, levels: SourceLevels) => {
    const old = known.get(source.sha256);
    // Of two levels that are made at the same time the coarser one may come last.
    if (old !== undefined && isFiner(old, levels)) return old;
    known.delete(source.sha256);
    known.set(source.sha256, levels);
    const [oldest] = known.keys();
    if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
    return levels;
  };
  const once = (source: ShownSource, level: number) => {
    const key = `${source.sha256} ${level}`;
    const made = coming.get(key) ?? ask(source, level);
    coming.set(key, made);
    return made.finally(() => coming.delete(key));
  };

  return {
    of: async (source) =>
      known.get(source.sha256) ?? once(source, octaveWithin(source, FIRST_PIXELS)),
    async refine(source, level) {
      await once(source, level);
    },
  };
}

/** Levels that stand in for the source itself are smaller than it, and as fine as there will be any. */
function isFiner(one: SourceLevels, other: SourceLevels): boolean {
  if (one.width !== other.width) return one.width < other.width;
  return one.finest < other.finest;
}
