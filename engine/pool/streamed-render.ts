/** A render in a thread that streams its file: first the header, then chunks with backpressure. */
import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { Patch } from "../encoders/encoder.ts";
import type { SourceBytes } from "../recipe/index.ts";
import type { RenderResult } from "../render/render.ts";
import { singleUseStream } from "../single-use-stream.ts";
import type { Rendering, Timings } from "../types.ts";
import type { ReaderMessage, RenderMessage, StreamJob } from "./job.ts";

/** A render, and the patch that its file needs at the end. */
export interface StreamedRender {
  readonly rendering: Rendering;
  readonly patch: Promise<Patch | null>;
}

/**
 * Starts a render in a thread and waits for its first bytes.
 * @param run runs the job in a thread; its signal aborts when the reader has left
 */
export async function startStreamedRender<Request extends { readonly source: SourceBytes }>(
  request: Request,
  signal: AbortSignal | undefined,
  run: (job: StreamJob<Request>, signal: AbortSignal) => Promise<null>,
): Promise<StreamedRender> {
  signal?.throwIfAborted();
  const { port1: ours, port2: theirs } = new MessageChannel();
  const inbox = createInbox(ours);
  const readerGone = new AbortController();
  const stop = signal ? AbortSignal.any([signal, readerGone.signal]) : readerGone.signal;
  const end = () => {
    readerGone.abort();
    ours.close();
  };

  const submittedAt = Date.now();
  run({ request, port: theirs }, stop).catch((error) =>
    inbox.fail(signal?.aborted ? signal.reason : error),
  );

  let first: RenderMessage | undefined;
  try {
    first = await inbox.next();
    await inbox.ready();
  } catch (error) {
    end();
    throw error;
  }
  if (first?.kind !== "head") throw new Error("a render ended before it began");
  const queue = Math.max(0, first.startedAt - submittedAt);
  const result = Promise.withResolvers<RenderResult>();
  const body = chunksOf(inbox, ours, result.resolve, (error) => {
    end();
    if (error !== null) result.reject(error);
  });
  const timings = result.promise.then(({ timings }): Timings => ({ queue, ...timings }));
  const patch = result.promise.then(({ patch }) => patch);
  // Callers that only read the body do not handle these rejections.
  for (const unasked of [timings, patch]) unasked.catch(() => undefined);
  const rendering = {
    ...first.head,
    body,
    timings,
  };
  return { rendering, patch };
}

/** Returns the chunks of a picture, which are acknowledged as they are read; for `onEnd` see `singleUseStream`. */
function chunksOf(
  inbox: ReturnType<typeof createInbox>,
  port: MessagePort,
  onResult: (result: RenderResult) => void,
  onEnd: (error: unknown) => void,
): AsyncIterable<Uint8Array> {
  let taken = 0;
  return singleUseStream<Uint8Array>(async () => {
    if (taken > 0) port.postMessage({ taken } satisfies ReaderMessage);
    taken = 0;
    const message = await inbox.next();
    if (message?.kind === "bytes") {
      taken = message.bytes.byteLength;
      return { done: false, value: message.bytes };
    }
    if (message?.kind !== "end") throw new Error("a render ended without its end");
    onResult(message);
    return { done: true, value: undefined };
  }, onEnd);
}

/** Queues the messages of a port: `next` waits for one, and throws after a failure. */
function createInbox(port: MessagePort) {
  const messages: RenderMessage[] = [];
  let failure: { readonly error: unknown } | null = null;
  let wake: (() => void) | undefined;
  port.on("message", (message: RenderMessage) => {
    messages.push(message);
    wake?.();
  });
  const inbox = {
    fail(error: unknown): void {
      failure ??= { error };
      wake?.();
    },
    /** Waits for a message. Throws where a failure comes in its place. */
    async ready(): Promise<void> {
      // The end is a message of its own: the port's close event would come too late, because an idle
      // worker blocks its event loop.
      while (messages.length === 0) {
        if (failure !== null) throw failure.error;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async next(): Promise<RenderMessage | undefined> {
      await inbox.ready();
      return messages.shift();
    },
  };
  return inbox;
}
