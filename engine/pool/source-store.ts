/**
 * Prepared sources in memory that all threads share, handed out by the main thread. It is one block that is used again
 * and again. V8 does not count shared memory: sources in blocks of their own would be released when a heap that refers
 * to them happens to be collected, gigabytes later.
 */
import type { LevelPlace } from "../image/source-levels.ts";

/** Where the levels of a source are. */
export interface SharedLevels extends LevelPlace<SharedArrayBuffer> {
  readonly sha256: string;
  /** Another number each time that levels are prepared. */
  readonly id: number;
  /** Where there was no room they have memory of their own, and are kept for as long as jobs use them. */
  readonly isInBlock: boolean;
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
   * Returns a place for the levels of a source that this job has claimed, each time the same one. Throws if it has not
   * claimed it, or has ended.
   */
  allocate(sha256: string, bytes: number): SharedLevels;
  /** Says that the levels are prepared. */
  settle(sha256: string): void;
  /** The job has ended, and its thread reads and writes no more: what it has not settled is left to the next job. */
  end(): void;
}

export interface SourceStore {
  /** The block, which kernels can read in threads that know it; null where the system has no such memory. */
  readonly block: WebAssembly.Memory | null;
  forJob(): JobSources;
}

const PAGE = 65536;

/** Creates shared memory that WebAssembly can read; returns null where the system refuses it, as it does with little address space. */
function createSharedMemory(bytes: number): WebAssembly.Memory | null {
  const pages = Math.ceil(bytes / PAGE);
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  } catch {
    return null;
  }
}

interface Entry {
  readonly levels: SharedLevels;
  /** Offset of its end. */
  readonly end: number;
  /** Jobs that use it. */
  users: number;
}

/** Most sources in the block: each allocation looks at all of them. */
const MAX_SOURCES = 256;

/** Alignment of levels in the block, in bytes. */
const ALIGNMENT = 64;

let ids = 0;

/** @param maximumBytes of all prepared sources */
export function createSourceStore(maximumBytes: number): SourceStore {
  // The system gives memory to what has been written only.
  const block = createSharedMemory(maximumBytes);
  const blockMemory =
    (block?.buffer as SharedArrayBuffer | undefined) ?? new SharedArrayBuffer(maximumBytes);
  /** Prepared sources, the least recently used first. */
  const kept = new Map<string, Entry>();
  /** Sources that jobs prepare, with the place of each once it has one. */
  const preparing = new Map<string, PromiseWithResolvers<void> & { entry?: Entry }>();

  /** Returns the offset of the first gap between entries that holds `bytes`; null if there is none. */
  const firstGap = (entries: readonly Entry[], bytes: number): number | null => {
    let start = 0;
    for (const { levels, end } of entries.toSorted((a, b) => a.levels.start - b.levels.start)) {
      if (levels.start - start >= bytes) return start;
      start = end;
    }
    return maximumBytes - start >= bytes ? start : null;
  };
  const entries = () =>
    [...kept.values(), ...[...preparing.values()].flatMap(({ entry }) => entry ?? [])].filter(
      ({ levels }) => levels.isInBlock,
    );
  const evictUnused = () => {
    for (const [sha256, { users }] of kept) {
      if (users === 0) return kept.delete(sha256);
    }
    return false;
  };
  /** Evicts unused sources until a gap holds `bytes`, and returns its offset; null if sources in use prevent it. */
  const freeGap = (bytes: number): number | null => {
    const used = entries().filter(({ users }) => users > 0);
    if (firstGap(used, bytes) === null) return null;
    for (;;) {
      const all = entries();
      const start = all.length < MAX_SOURCES ? firstGap(all, bytes) : null;
      if (start !== null || !evictUnused()) return start;
    }
  };
  const place = (sha256: string, bytes: number): Entry => {
    const gap = freeGap(bytes);
    const isInBlock = gap !== null;
    const memory = isInBlock ? blockMemory : new SharedArrayBuffer(bytes);
    const levels = { memory, start: gap ?? 0, sha256, id: ++ids, isInBlock };
    return { levels, end: levels.start + bytes, users: 1 };
  };

  const forJob = (): JobSources => {
    const using = new Set<Entry>();
    /** Sources that this job prepares. */
    const claimed = new Set<string>();
    let hasEnded = false;
    const known = (sha256: string) => {
      const entry = kept.get(sha256);
      if (entry === undefined || hasEnded) return null;
      kept.delete(sha256);
      kept.set(sha256, entry);
      if (!using.has(entry)) entry.users++;
      using.add(entry);
      return entry.levels;
    };
    const settle = (sha256: string, isPrepared: boolean) => {
      if (!claimed.delete(sha256)) return;
      const { entry, resolve } = preparing.get(sha256) ?? {};
      preparing.delete(sha256);
      if (isPrepared && entry !== undefined) kept.set(sha256, entry);
      resolve?.();
    };
    return {
      known,
      async claim(sha256) {
        while (!hasEnded) {
          const levels = known(sha256);
          if (levels !== null) return levels;
          const other = preparing.get(sha256);
          if (other === undefined) {
            preparing.set(sha256, Promise.withResolvers());
            claimed.add(sha256);
            break;
          }
          await other.promise;
        }
        return null;
      },
      allocate(sha256, bytes) {
        const own = preparing.get(sha256);
        if (own === undefined || !claimed.has(sha256)) throw new Error(`${sha256} is not claimed`);
        const length = Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
        // A codec that was killed is started again, with the same picture.
        own.entry ??= place(sha256, length);
        using.add(own.entry);
        const { levels, end } = own.entry;
        if (end - levels.start < length) throw new Error(`the levels of ${sha256} became larger`);
        return levels;
      },
      settle: (sha256) => settle(sha256, true),
      end() {
        hasEnded = true;
        for (const sha256 of claimed) settle(sha256, false);
        for (const entry of using) {
          entry.users--;
          const { sha256, isInBlock } = entry.levels;
          const isUnused = entry.users === 0 && !isInBlock;
          if (isUnused && kept.get(sha256) === entry) kept.delete(sha256);
        }
        using.clear();
      },
    };
  };
  return { block, forJob };
}
