/** A picture that is sent while it is rendered, and cached when it is complete. */
import { singleUseStream } from "../../engine/single-use-stream.ts";
import { footerOf } from "./entry.ts";
import type { Folder } from "./folder.ts";
import type { Picture, StreamedPicture } from "./picture.ts";
import { TailableFile } from "./tailable-file.ts";

export interface StreamingEntry<Timings> {
  /**
   * Returns the picture for one more reader, until it has been read or `signal` aborts; null if its
   * start is no longer available.
   */
  subscribe(signal: AbortSignal): Picture<Timings> | null;
  /** Resolves when the picture has been cached (true) or discarded. */
  readonly ended: Promise<boolean>;
}

interface StreamingOptions<Timings> {
  readonly folder: Folder;
  readonly fingerprint: string;
  readonly streamed: StreamedPicture<Timings>;
  /** Called when the last reader has left before the end, to cancel the render. */
  readonly cancel: (reason: unknown) => void;
  /** Called when the picture can take no more readers: the render failed, or the file. */
  readonly onUnavailable: () => void;
  /** Called with errors of the folder. */
  readonly onError: (error: unknown) => void;
}

/** Starts to write a picture to a draft. Throws file system errors. */
export async function createStreamingEntry<Timings>(
  options: StreamingOptions<Timings>,
): Promise<StreamingEntry<Timings>> {
  const { folder, streamed, cancel, onUnavailable, onError } = options;
  const [draft, { file, release }] = await folder.draft((path) =>
    TailableFile.create(path, (error) => {
      onError(error);
      // Current readers get the rest; new ones would miss the start.
      onUnavailable();
    }),
  );
  let subscribers = 0;
  let isMade = false;
  const fill = async () => {
    const isWhole = await copy(streamed, file);
    isMade = true;
    if (!isWhole) onUnavailable();
    if (!isWhole || !file.isOnDisk) {
      await folder.discard(draft);
      return false;
    }
    const { strain, backend } = streamed;
    const content = file.content();
    await file.seal(footerOf({ name: fingerprint, strain, backend, ...content }));
    await folder.commit(draft, fingerprint, content.length);
    return true;
  };
  const { fingerprint } = options;
  const ended = fill()
    .catch(async (error) => {
      onError(error);
      await folder.discard(draft).catch(onError);
      return false;
    })
    .finally(release);
  const { strain, backend, timings } = streamed;
  return {
    ended,
    subscribe(signal) {
      const reader = file.subscribe();
      if (reader === null) return null;
      subscribers++;
      const gone = new AbortController();
      const leave = (reason?: unknown) => {
        if (gone.signal.aborted) return;
        signal.removeEventListener("abort", leaveEarly);
        gone.abort(reason);
        subscribers--;
        if (subscribers === 0 && !isMade) cancel(reason);
        reader.leave().catch(onError);
      };
      const leaveEarly = () => leave(signal.reason);
      signal.addEventListener("abort", leaveEarly, { once: true });
      const read = (start: number, end: number) => {
        const pieces = reader.read(start, end, gone.signal);
        return singleUseStream(
          () => pieces.next(),
          async () => {
            leave();
            await pieces.return(undefined);
          },
        );
      };
      return { strain, backend, digest: null, bytes: null, timings, read };
    },
  };
}

/**
 * Copies a picture into a file as it is rendered. Returns false if the render failed; readers then
 * throw its error.
 */
async function copy<Timings>({ body }: StreamedPicture<Timings>, file: TailableFile) {
  try {
    for await (const bytes of body) await file.write(bytes);
  } catch (error) {
    file.end({ error });
    return false;
  }
  file.end("whole");
  return true;
}
