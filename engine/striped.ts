/** A render whose strips are made by several threads, put together in order at the reader's speed. */
import { createCancellation } from "./cancellation.ts";
import type { Rendering, RenderRequest, Timings } from "./door.ts";
import type { StripJob } from "./job.ts";
import { createStripFile, type MadeStrip } from "./render/strip.ts";
import type { Strip } from "./render/strips.ts";
import { withSharedSource } from "./shared-bytes.ts";

export interface StripsToMake {
  readonly request: RenderRequest;
  readonly strips: readonly Strip[];
  /** Strips that are made or wait for the reader at once, at most. */
  readonly ahead: number;
  readonly signal: AbortSignal | undefined;
  /**
   * Gives a strip to a thread.
   * @param signal aborts when nobody wants the strip any more
   * @param begun called when a thread takes it
   */
  run(job: StripJob, signal: AbortSignal, begun: () => void): Promise<MadeStrip>;
  /** Called when a thread has begun; what it returns is called when no more is to be made. */
  hold(): () => void;
}

/**
 * Starts a render and waits for its first strip. The others are begun as soon as a thread has taken
 * that one, and not before: a render that is refused has left nothing behind.
 */
export async function startStrips({
  request,
  strips,
  ahead,
  signal,
  run,
  hold,
}: StripsToMake): Promise<Rendering> {
  signal?.throwIfAborted();
  const leaving = new AbortController();
  const left = signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal;
  const { cancelled, end: forget } = createCancellation(left);
  const shared = withSharedSource(request);
  const submittedAt = performance.now();
  const made: Promise<MadeStrip>[] = [];
  let asked = 0;
  let queue: number | undefined;

  const begin = () => {
    const index = asked;
    const strip = strips[index];
    if (strip === undefined) return;
    asked++;
    const begun = index === 0 ? firstBegun : ignore;
    const making = run({ request: shared, strip, cancelled }, left, begun);
    // Whoever reads that far is told.
    making.catch(ignore);
    made[index] = making;
  };
  const firstBegun = () => {
    // Another thread begins anew where one is lost.
    if (queue !== undefined) return;
    queue = performance.now() - submittedAt;
    const release = hold();
    if (left.aborted) release();
    else left.addEventListener("abort", release, { once: true });
    while (asked < Math.min(ahead, strips.length)) begin();
  };
  const finish = () => {
    forget();
    leaving.abort();
  };

  begin();
  const first = await (made[0] as Promise<MadeStrip>).catch((error) => {
    finish();
    throw signal?.aborted ? signal.reason : error;
  });
  const file = createStripFile(request);
  const timings = Promise.withResolvers<Timings>();
  // Whoever reads only the body has not asked for them.
  timings.promise.catch(ignore);

  async function* pieces() {
    for (let index = 0; index < strips.length; index++) {
      const strip = await (made[index] as Promise<MadeStrip>);
      // What has been read is not kept, and makes room for one more.
      delete made[index];
      begin();
      yield* file.add(strip);
    }
    yield file.end();
    timings.resolve({ queue: queue ?? 0, ...file.timings() });
  }
  const body = readOnce(pieces(), signal, (error) => {
    timings.reject(error);
    finish();
  });
  return { ...first.head, body, timings: timings.promise };
}

const ignore = () => undefined;

/**
 * Pieces that are read once, from wherever the reader is. Not the generator itself: leaving one that
 * has not been started would run none of its code.
 * @param ended called once, with an error of no consequence where all was read
 */
function readOnce(
  pieces: AsyncGenerator<Uint8Array, void>,
  signal: AbortSignal | undefined,
  ended: (error: unknown) => void,
): AsyncIterable<Uint8Array> {
  const done = { done: true, value: undefined } as const;
  let isOver = false;
  const end = (error: unknown) => {
    if (!isOver) ended(error);
    isOver = true;
  };
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      if (isOver) return done;
      try {
        signal?.throwIfAborted();
        const piece = await pieces.next();
        if (piece.done) end(new Error("the picture was read"));
        return piece;
      } catch (cause) {
        const error = signal?.aborted ? signal.reason : cause;
        end(error);
        throw error;
      }
    },
    async return() {
      end(new Error("the picture was not read to its end"));
      return done;
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
