/**
 * Prepared sources in memory that all threads share, handed out by the main thread: each is prepared once. It is one
 * block that is used again and again. V8 does not count shared memory: sources in blocks of their own would be
 * released when a heap that refers to them happens to be collected, gigabytes later.
 */
import type { LevelPlace } from "../image/source-levels.ts";

/** Where the levels of a source are. */
export interface SharedLevels extends LevelPlace<SharedArrayBuffer> {
  readonly sha256: string;
  /** Another number each time that levels are prepared. */
  readonly id: number;
}

/** The sources of one job: what it uses stays where it is until the job has ended. */
export interface JobSources {
  /** Returns the levels of a source that is prepared, or null. */
  known(sha256: string): SharedLevels | null;
  /**
   * Resolves with the levels of a source, or with null for the first job that asks for it, which prepares them and
   * calls `settle`. Other jobs wait for that.
   */
  claim(sha256: string): Promise<SharedLevels | null>;
  /**
   * Returns a place for the levels of a source that this job has claimed, each time the same one; null if what other
   * jobs use leaves no room for so many bytes.
   */
  allocate(sha256: string, bytes: number): SharedLevels | null;
  /** Says that the levels are prepared. Without a place for them the next job prepares them again. */
  settle(sha256: string): void;
  /** The job has ended, and its thread reads and writes no more: what it has not settled is left to the next job. */
  end(): void;
}

export interface SourceStore {
  forJob(): JobSources;
}

interface Entry {
  readonly levels: SharedLevels;
  /** Offset of its end. */
  readonly end: number;
  /** Jobs that use it. */
  users: number;
}

/** Levels begin at multiples of so many bytes. */
const ALIGNMENT = 64;

let ids = 0;

/** @param maximumBytes of all prepared sources */
export function createSourceStore(maximumBytes: number): SourceStore {
  // The system gives memory to what has been written only.
  const memory = new SharedArrayBuffer(maximumBytes);
  /** Prepared sources, the least recently used first. */
  const kept = new Map<string, Entry>();
  /** Sources that jobs prepare, with the place of each once it has one. */
  const preparing = new Map<string, PromiseWithResolvers<void> & { entry?: Entry }>();

  /** Returns the offset of room for so many bytes between entries; null if there is none. */
  const roomBetween = (entries: readonly Entry[], bytes: number): number | null => {
    let start = 0;
    for (const { levels, end } of entries.toSorted((a, b) => a.levels.start - b.levels.start)) {
      if (levels.start - start >= bytes) return start;
      start = end;
    }
    return maximumBytes - start >= bytes ? start : null;
  };
  const entries = () => [
    ...kept.values(),
    ...[...preparing.values()].flatMap(({ entry }) => entry ?? []),
  ];
  const place = (sha256: string, bytes: number): Entry | null => {
    const used = entries().filter(({ users }) => users > 0);
    if (roomBetween(used, bytes) === null) return null;
    let start = roomBetween(entries(), bytes);
    for (const [other, { users }] of kept) {
      if (start !== null) break;
      if (users > 0) continue;
      kept.delete(other);
      start = roomBetween(entries(), bytes);
    }
    if (start === null) return null;
    return { levels: { memory, start, sha256, id: ++ids }, end: start + bytes, users: 1 };
  };

  const forJob = (): JobSources => {
    const using = new Set<Entry>();
    const claimed = new Set<string>();
    const known = (sha256: string) => {
      const entry = kept.get(sha256);
      if (entry === undefined) return null;
      kept.delete(sha256);
      kept.set(sha256, entry);
      if (!using.has(entry)) entry.users++;
      using.add(entry);
      return entry.levels;
    };
    const settle = (sha256: string, isPrepared: boolean) => {
      const { entry, resolve } = preparing.get(sha256) ?? {};
      preparing.delete(sha256);
      claimed.delete(sha256);
      if (isPrepared && entry !== undefined) kept.set(sha256, entry);
      resolve?.();
    };
    return {
      known,
      async claim(sha256) {
        for (;;) {
          const levels = known(sha256);
          if (levels !== null) return levels;
          const other = preparing.get(sha256);
          if (other === undefined) break;
          await other.promise;
        }
        preparing.set(sha256, Promise.withResolvers());
        claimed.add(sha256);
        return null;
      },
      allocate(sha256, bytes) {
        const own = preparing.get(sha256);
        if (own === undefined) return null;
        // A codec that was killed is started again, with the same picture.
        if (own.entry !== undefined) return own.entry.levels;
        const entry = place(sha256, Math.ceil(bytes / ALIGNMENT) * ALIGNMENT);
        if (entry === null) return null;
        own.entry = entry;
        using.add(entry);
        return entry.levels;
      },
      settle: (sha256) => settle(sha256, true),
      end() {
        for (const sha256 of claimed) settle(sha256, false);
        for (const entry of using) entry.users--;
        using.clear();
      },
    };
  };
  return { forJob };
}
