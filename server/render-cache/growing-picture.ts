/** A picture that is given out while it is made, and is kept once it is whole. */
import { createHash } from "node:crypto";
import { footerOf } from "./entry.ts";
import type { Folder } from "./folder.ts";
import { GrowingFile } from "./growing-file.ts";
import type { Making, Picture } from "./picture.ts";

export interface GrowingPicture<Timings> {
  /** The picture for one more reader, who has left when it has read or when its signal aborts. */
  seat(signal: AbortSignal): Picture<Timings>;
  /** Settles when the picture is kept, or will never be. */
  readonly ended: Promise<void>;
}

interface Growth<Timings> {
  readonly folder: Folder;
  readonly name: string;
  readonly making: Making<Timings>;
  /** Ends the making. */
  readonly stop: AbortController;
  /** Hears of what goes wrong with the folder. */
  readonly failed: (error: unknown) => void;
}

/** Begins to fill a file of the folder. Throws what the file system throws. */
export async function growPicture<Timings>(
  growth: Growth<Timings>,
): Promise<GrowingPicture<Timings>> {
  const { folder, making, stop } = growth;
  const draft = folder.draft();
  const file = await GrowingFile.create(draft);
  let seats = 0;
  let isWhole = false;
  const ended = fill(growth, file, draft).finally(() => {
    isWhole = true;
  });
  const { strain, backend, timings } = making;
  return {
    ended,
    seat(signal) {
      seats++;
      let isTaken = true;
      const leave = () => {
        signal.removeEventListener("abort", leave);
        if (!isTaken) return;
        isTaken = false;
        seats--;
        if (seats === 0 && !isWhole) stop.abort(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      const read = (start: number, end: number) => file.read(start, end, leave);
      return { strain, backend, whole: null, bytes: null, timings, read };
    },
  };
}

/** Makes the picture at its own speed, whatever that of its readers. */
async function fill<Timings>(
  { folder, name, making, failed }: Growth<Timings>,
  file: GrowingFile,
  draft: string,
): Promise<void> {
  const hash = createHash("sha256");
  let length = 0;
  try {
    for await (const bytes of making.body) {
      await file.write(bytes);
      hash.update(bytes);
      length += bytes.byteLength;
    }
  } catch (error) {
    await file.close({ error });
    await folder.discard(draft).catch(failed);
    return;
  }
  const { strain, backend } = making;
  try {
    await file.seal(footerOf({ length, sha256: hash.digest("hex"), strain, backend }));
    await folder.keep(draft, name);
  } catch (error) {
    failed(error);
    await folder.discard(draft).catch(failed);
  }
  await file.close();
}
