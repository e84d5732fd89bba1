/** A render whose strips are rendered in parallel and joined in order, with backpressure. */

import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Patch } from "../encoders/encoder.ts";
import type { Strip, StripFormat } from "../encoders/strips.ts";
import { joinStrips, type RenderedStrip } from "../render/strip.ts";
import { singleUseStream } from "../single-use-stream.ts";
import type { Printing, RenderedPicture, Rendering, Timings } from "../types.ts";

export interface ParallelRenderOptions {
  readonly strips: readonly Strip[];
  readonly format: StripFormat;
  /** Maximum number of strips that are being rendered or wait for the reader. */
  readonly ahead: number;
  readonly signal: AbortSignal | undefined;
  /**
   * Renders a strip in a thread.
   * @param signal aborts when the reader has left
   * @param onStart called when a thread takes it
   */
  run(strip: Strip, signal: AbortSignal, onStart: () => void): Promise<RenderedStrip>;
  /** Called when a thread takes the first strip; the returned function is called at the end. */
  registerSplitRender(): () => void;
}

interface ParallelRender extends Pick<Printing, "patch" | "progress"> {
  readonly rendering: Rendering;
}

/**
 * Starts a render and waits for its first strip. The others are queued only when a thread has taken
 * that one, so that a rejected render leaves nothing in the queue.
 */
export async function startParallelRender({
  strips,
  format,
  ahead,
  signal,
  run,
  registerSplitRender,
}: ParallelRenderOptions): Promise<ParallelRender> {
  signal?.throwIfAborted();
  const readerGone = new AbortController();
  const stop = signal ? AbortSignal.any([signal, readerGone.signal]) : readerGone.signal;
  const submittedAt = performance.now();
  const file = joinStrips(format);
  const renders: Promise<RenderedStrip>[] = [];
  let asked = 0;
  let queue: number | undefined;

  const begin = () => {
    const index = asked;
    const strip = strips[index];
    if (strip === undefined) return;
    asked++;
    const onStart = index === 0 ? onFirstStart : ignore;
    const render = run(strip, stop, onStart);
    // The reader gets the error when it reaches this strip.
    render.catch(ignore);
    renders[index] = render;
  };
  const onFirstStart = () => {
    // Called again if a thread is lost and the strip retried.
    if (queue !== undefined) return;
    queue = performance.now() - submittedAt;
    const release = registerSplitRender();
    if (stop.aborted) release();
    else stop.addEventListener("abort", release, { once: true });
    while (asked < Math.min(ahead, strips.length)) begin();
  };
  const finish = () => readerGone.abort();

  begin();
  const first = await renders[0].catch((error) => {
    finish();
    throw signal?.aborted ? signal.reason : error;
  });
  const { height } = first.head;
  let joined = 0;
  const timings = Promise.withResolvers<Timings>();
  const patch = Promise.withResolvers<Patch | null>();
  // Callers that only read the body do not handle these rejections.
  for (const { promise } of [timings, patch]) promise.catch(ignore);

  async function* pieces() {
    for (let index = 0; index < strips.length; index++) {
      const strip = await renders[index];
      // Frees the strip's memory, and starts one more.
      delete renders[index];
      begin();
      yield* file.add(strip);
      joined += strips[index].count;
    }
    yield file.end();
    timings.resolve({ queue: queue ?? 0, ...file.timings() });
    patch.resolve(file.patch());
  }
  const rest = pieces();
  const body = singleUseStream(
    async () => {
      try {
        signal?.throwIfAborted();
        return await rest.next();
      } catch (error) {
        throw signal?.aborted ? signal.reason : error;
      }
    },
    (error) => {
      if (error !== null) {
        timings.reject(error);
        patch.reject(error);
      }
      finish();
    },
  );
  return {
    rendering: { ...first.head, body, timings: timings.promise },
    patch: patch.promise,
    progress: () => joined / height,
  };
}

/** Reads a render to its end. The event loop runs between pieces, which have a megabyte at most. */
export async function collectPicture({
  body,
  timings,
  ...header
}: Rendering): Promise<RenderedPicture> {
  const pieces = await Array.fromAsync(body);
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  const hash = createHash("sha256");
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    hash.update(piece);
    at += piece.length;
    await setImmediate();
  }
  return { ...header, bytes, sha256: hash.digest("hex"), timings: await timings };
}

const ignore = () => undefined;
