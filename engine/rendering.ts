/** A render as its reader sees it: a head, then the picture in pieces, at the reader's speed. */
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { createCancellation } from "./cancellation.ts";
import type { Patch, Rendering, SourceBytes, Timings } from "./door.ts";
import type { ReaderMessage, RenderMessage, Streamed } from "./job.ts";
import type { Made } from "./render/render.ts";
import { withSharedSource } from "./shared-bytes.ts";

/** A render, and what its file needs once it is there. */
export interface Started {
  readonly rendering: Rendering;
  readonly patch: Promise<Patch | null>;
}

/**
 * Hands a render to a thread and waits for its head.
 * @param run gives the job to a thread, and settles when it is done
 */
export async function startRendering<Request extends { readonly source: SourceBytes }>(
  request: Request,
  signal: AbortSignal | undefined,
  run: (job: Streamed<Request>) => Promise<null>,
): Promise<Started> {
  signal?.throwIfAborted();
  const { port1: ours, port2: theirs } = new MessageChannel();
  const inbox = createInbox(ours);
  const cancellation = createCancellation(signal, () => tell(ours, "leave"));
  const { cancelled } = cancellation;
  const end = () => {
    cancellation.end();
    cancellation.leave();
    ours.close();
  };

  const submittedAt = Date.now();
  run({ request: withSharedSource(request), port: theirs, cancelled }).catch((error) =>
    inbox.fail(signal?.aborted ? signal.reason : error),
  );

  const first = await inbox.next().catch((error) => {
    end();
    throw error;
  });
  if (first?.kind !== "head") throw new Error("a render ended before it began");
  const queue = Math.max(0, first.startedAt - submittedAt);
  const made = Promise.withResolvers<Made>();
  const iterator = pieces(inbox, ours, (how) => {
    end();
    if ("timings" in how) made.resolve(how);
    else made.reject(how.error);
  });
  const timings = made.promise.then((how): Timings => ({ queue, ...how.timings }));
  const patch = made.promise.then((how) => how.patch);
  // Whoever reads only the body has not asked for these; their failure is no one's.
  for (const unasked of [timings, patch]) unasked.catch(() => undefined);
  const rendering = {
    ...first.head,
    body: { [Symbol.asyncIterator]: () => iterator },
    timings,
  };
  return { rendering, patch };
}

/** How a picture's reading ended: with its last byte, or before. */
type Ending = Made | { readonly error: unknown };

/** Not a generator: leaving one that has not been started would run none of its code. */
function pieces(
  inbox: ReturnType<typeof createInbox>,
  port: MessagePort,
  onEnd: (how: Ending) => void,
): AsyncIterator<Uint8Array> {
  const done = { done: true, value: undefined } as const;
  let ended = false;
  let taken = 0;
  const finish = (how: Ending) => {
    if (!ended) onEnd(how);
    ended = true;
    return done;
  };
  return {
    async next() {
      if (ended) return done;
      if (taken > 0) tell(port, { taken });
      taken = 0;
      try {
        const message = await inbox.next();
        if (message?.kind === "bytes") {
          taken = message.bytes.byteLength;
          return { done: false, value: message.bytes };
        }
        if (message?.kind === "end") return finish(message);
        throw new Error("a render ended without its end");
      } catch (error) {
        finish({ error });
        throw error;
      }
    },
    async return() {
      return finish({ error: new Error("the picture was not read to its end") });
    },
  };
}

const tell = (port: MessagePort, message: ReaderMessage) => port.postMessage(message);

/** Messages of a port in order: waits for the next, throws after a failure. */
function createInbox(port: MessagePort) {
  const messages: RenderMessage[] = [];
  let failure: { readonly error: unknown } | null = null;
  let wake: (() => void) | undefined;
  port.on("message", (message: RenderMessage) => {
    messages.push(message);
    wake?.();
  });
  return {
    fail(error: unknown): void {
      failure ??= { error };
      wake?.();
    },
    async next(): Promise<RenderMessage | null> {
      // The end is a message of its own. The port's closing would come too late: a worker that
      // has nothing to do sleeps, its event loop too.
      while (messages.length === 0 && failure === null) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const message = messages.shift() ?? null;
      if (message === null && failure !== null) throw failure.error;
      return message;
    },
  };
}
