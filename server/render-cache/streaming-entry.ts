/** A picture that is given out while it is made, and is kept once it is whole. */
import { createHash, type Hash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { footerOf } from "./entry.ts";
import type { Folder } from "./folder.ts";
import type { Making, Picture } from "./picture.ts";
import { TailableFile } from "./tailable-file.ts";

/** Bytes that are hashed at once: a millisecond or two. */
const SLICE_BYTES = 1024 * 1024;

export interface StreamingEntry<Timings> {
  /**
   * The picture for one more reader, who has left when it has read or when its signal aborts; null
   * where its beginning is not there any more.
   */
  seat(signal: AbortSignal): Picture<Timings> | null;
  /** Settles when the picture is kept, or will never be. */
  readonly ended: Promise<void>;
}

interface Growth<Timings> {
  readonly folder: Folder;
  readonly name: string;
  readonly making: Making<Timings>;
  /** Called when the last reader has left before the end: the making is to end. */
  readonly abandon: (reason: unknown) => void;
  /** Called when the making has failed: whoever comes now has to make it anew. */
  readonly broke: () => void;
  /** Hears of what goes wrong with the folder. */
  readonly failed: (error: unknown) => void;
}

/** Begins to fill a file of the folder. Throws what the file system throws. */
export async function createStreamingEntry<Timings>(
  growth: Growth<Timings>,
): Promise<StreamingEntry<Timings>> {
  const { folder, making, abandon, broke, failed } = growth;
  const draft = await folder.draft();
  const { file, release } = await TailableFile.create(draft, (error) => {
    failed(error);
    // Its readers get the rest; whoever comes now is too late for the beginning.
    broke();
  });
  let seats = 0;
  let isMade = false;
  const fill = async () => {
    const made = await copy(making, file);
    isMade = true;
    if (made === null) broke();
    if (made === null || !file.isOnDisk) return folder.discard(draft);
    const { strain, backend } = making;
    await file.seal(footerOf({ name, strain, backend, hashes: file.hashes(), ...made }));
    await folder.keep(draft, name, made.length);
  };
  const { name } = growth;
  const ended = fill()
    .catch(async (error) => {
      failed(error);
      await folder.discard(draft).catch(failed);
    })
    .finally(release);
  const { strain, backend, timings } = making;
  return {
    ended,
    seat(signal) {
      const reader = file.join();
      if (reader === null) return null;
      seats++;
      const gone = new AbortController();
      const leave = (reason?: unknown) => {
        if (gone.signal.aborted) return;
        signal.removeEventListener("abort", leaveEarly);
        gone.abort(reason);
        seats--;
        if (seats === 0 && !isMade) abandon(reason);
        reader.leave().catch(failed);
      };
      const leaveEarly = () => leave(signal.reason);
      signal.addEventListener("abort", leaveEarly, { once: true });
      const read = (start: number, end: number) =>
        leaving(reader.read(start, end, gone.signal), leave);
      return { strain, backend, whole: null, bytes: null, timings, read };
    },
  };
}

/**
 * Copies a picture into a file at the speed at which it is made. Resolves with its length and SHA-256;
 * with null where it broke, of which its readers are told.
 */
async function copy<Timings>({ body }: Making<Timings>, file: TailableFile) {
  const hash = createHash("sha256");
  let length = 0;
  try {
    for await (const bytes of body) {
      await file.write(bytes);
      await updateInSlices(hash, bytes);
      length += bytes.byteLength;
    }
  } catch (error) {
    file.end({ error });
    return null;
  }
  file.end("whole");
  return { length, sha256: hash.digest("hex") };
}

/** Updates a hash with any number of bytes. The event loop runs between slices. */
async function updateInSlices(hash: Hash, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.byteLength; from += SLICE_BYTES) {
    if (from > 0) await setImmediate();
    hash.update(bytes.subarray(from, from + SLICE_BYTES));
  }
}

/** The same pieces; `leave` is called once they are read no further, though they never were. */
function leaving(pieces: AsyncGenerator<Uint8Array>, leave: () => void): AsyncIterable<Uint8Array> {
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      try {
        const next = await pieces.next();
        if (next.done) leave();
        return next;
      } catch (error) {
        leave();
        throw error;
      }
    },
    async return() {
      leave();
      return pieces.return(undefined);
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
