/** Piscina's side in the server: threads, a bounded queue, pictures that come in bands. */
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { Piscina } from "piscina";
import { checkRender } from "./check.ts";
import type { Engine, EngineOptions, Rendering, RenderRequest, Timings } from "./door.ts";
import { fromPlain, Overloaded } from "./errors.ts";
import type { Job, Outcome, ReaderMessage, RenderMessage, Results } from "./job.ts";
import { ENGINE_VERSION } from "./version.ts";

/**
 * Starts the threads and opens their backends. Throws `BackendUnavailable` when the backend that
 * was asked for is not there.
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const pool = new Piscina({
    filename: new URL("./worker.ts", import.meta.url).href,
    minThreads: options.threads,
    maxThreads: options.threads,
    idleTimeout: Number.POSITIVE_INFINITY,
    concurrentTasksPerWorker: 1,
    maxQueue: options.queueMax,
    workerData: { backend: options.backend },
  });

  // A thread that breaks takes its job with it, whose caller is told, and is replaced. Unheard, the
  // event would end the process.
  pool.on("error", () => undefined);

  async function run<J extends Job>(
    job: J,
    transferList?: MessagePort[],
  ): Promise<Results[J["kind"]]> {
    let outcome: Outcome<Results[J["kind"]]>;
    try {
      outcome = await pool.run(job, transferList === undefined ? {} : { transferList });
    } catch (error) {
      if (error instanceof Error && /queue is at limit/i.test(error.message)) {
        throw new Overloaded(pool.queueSize, { cause: error });
      }
      throw error;
    }
    if (!outcome.ok) throw fromPlain(outcome.error);
    return outcome.result;
  }

  const { backend, device } = await run({ kind: "describe" }).catch(async (error) => {
    await pool.destroy();
    throw error;
  });

  return {
    backend,
    device,
    threads: options.threads,
    version: `${ENGINE_VERSION}-${backend}`,
    render: (request, signal) =>
      startRender(request, signal, backend, (job, port) => run(job, [port])),
    drawPreset: (name, seed, size) => run({ kind: "preset", name, seed, size }),
    inspect: (bytes) => run({ kind: "inspect", bytes }),
    async close(graceMs) {
      const patience = AbortSignal.timeout(graceMs);
      const givenUp = new Promise<void>((resolve) => {
        patience.addEventListener("abort", () => resolve());
      });
      await Promise.race([pool.close(), givenUp]);
      await pool.destroy();
    },
  };
}

/** Sends a render to a thread and reads its head. */
async function startRender(
  request: RenderRequest,
  signal: AbortSignal | undefined,
  backend: Rendering["backend"],
  run: (job: Extract<Job, { kind: "render" }>, port: MessagePort) => Promise<null>,
): Promise<Rendering> {
  signal?.throwIfAborted();
  checkRender(request.render);
  const { port1: ours, port2: theirs } = new MessageChannel();
  const cancelled = new Int32Array(new SharedArrayBuffer(4));
  const leave = () => {
    Atomics.store(cancelled, 0, 1);
    tell(ours, "leave");
  };
  signal?.addEventListener("abort", leave, { once: true });

  const submittedAt = Date.now();
  const inbox = createInbox(ours);
  const { source } = request;
  const shared = { ...request, source: { ...source, bytes: shareBytes(source.bytes) } };
  const finished = run({ kind: "render", request: shared, port: theirs, cancelled }, theirs);
  finished.catch((error) => inbox.fail(signal?.aborted ? signal.reason : error));

  const first = await inbox.next().catch((error) => {
    signal?.removeEventListener("abort", leave);
    ours.close();
    throw error;
  });
  if (first?.kind !== "head") throw new Error("a render ended before it began");
  const queue = Math.max(0, first.startedAt - submittedAt);
  const timings = Promise.withResolvers<Timings>();
  timings.promise.catch(() => {
    // Whoever reads only the body has not asked for the timings; their failure is no one's.
  });

  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      for (let message = await inbox.next(); message !== null; message = await inbox.next()) {
        if (message.kind === "bytes") {
          yield message.bytes;
          tell(ours, { taken: message.bytes.byteLength });
        } else if (message.kind === "end") {
          timings.resolve({ queue, ...message.timings });
        }
      }
    } catch (error) {
      timings.reject(error);
      throw error;
    } finally {
      signal?.removeEventListener("abort", leave);
      leave();
      ours.close();
      timings.reject(new Error("the picture was not read to its end"));
    }
  }
  return { ...first.head, backend, body: body(), timings: timings.promise };
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

/** Messages of a port in order: waits for the next, null after the last, throws after a failure. */
function createInbox(port: MessagePort) {
  const messages: RenderMessage[] = [];
  let failure: { readonly error: unknown } | null = null;
  let ended = false;
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
      while (messages.length === 0 && failure === null && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const message = messages.shift() ?? null;
      if (message === null && failure !== null) throw failure.error;
      if (message?.kind === "end") ended = true;
      return message;
    },
  };
}
