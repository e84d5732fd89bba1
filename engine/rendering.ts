/** A render as its reader sees it: a head, then the picture in pieces, at the reader's speed. */
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { createCancellation } from "./cancellation.ts";
import type { Rendering, RenderRequest, Timings } from "./door.ts";
import type { Job, ReaderMessage, RenderMessage } from "./job.ts";

type RenderJob = Extract<Job, { kind: "render" }>;

/**
 * Hands a render to a thread and waits for its head.
 * @param run gives the job to a thread, and settles when it is done
 */
export async function startRendering(
  request: RenderRequest,
  signal: AbortSignal | undefined,
  backend: Rendering["backend"],
  run: (job: RenderJob, port: MessagePort) => Promise<null>,
): Promise<Rendering> {
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
  const { source } = request;
  const shared = { ...request, source: { ...source, bytes: shareBytes(source.bytes) } };
  run({ kind: "render", request: shared, port: theirs, cancelled }, theirs).catch((error) =>
    inbox.fail(signal?.aborted ? signal.reason : error),
  );

  const first = await inbox.next().catch((error) => {
    end();
    throw error;
  });
  if (first?.kind !== "head") throw new Error("a render ended before it began");
  const queue = Math.max(0, first.startedAt - submittedAt);
  const timings = Promise.withResolvers<Timings>();
  timings.promise.catch(() => {
    // Whoever reads only the body has not asked for the timings; their failure is no one's.
  });
  const iterator = pieces(inbox, ours, (how) => {
    end();
    if ("timings" in how) timings.resolve({ queue, ...how.timings });
    else timings.reject(how.error);
  });
  return {
    ...first.head,
    backend,
    body: { [Symbol.asyncIterator]: () => iterator },
    timings: timings.promise,
  };
}

/** How a picture's reading ended: with its last byte, or before. */
type Ending = { readonly timings: Omit<Timings, "queue"> } | { readonly error: unknown };

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
        if (message?.kind === "end") return finish({ timings: message.timings });
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

const sharedBytes = new WeakMap<Uint8Array, Uint8Array>();

/**
 * A source's bytes in memory that all threads see, so that a render does not carry them across.
 * Made once for as long as the caller keeps the bytes.
 */
function shareBytes(bytes: Uint8Array): Uint8Array {
  let shared = sharedBytes.get(bytes);
  if (shared === undefined) {
    shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
    shared.set(bytes);
    sharedBytes.set(bytes, shared);
  }
  return shared;
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
