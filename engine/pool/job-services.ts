/**
 * Gives jobs in threads access to what the main thread has: the codec processes, which it starts and
 * kills, the prepared sources, and other threads that are idle.
 */

import type { MessagePort } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import { fromPlain, type PlainError, toPlain } from "../errors.ts";
import { registerMemory } from "../image/light-copy.ts";
import type { ByteImage } from "../image/picture.ts";
import {
  type LevelWriter,
  levelBytes,
  openLevels,
  type SourceLevels,
  writeLevels,
} from "../image/source-levels.ts";
import type { Codec } from "../render/codec.ts";
import { type AskForHelp, bytesIn, type Finished, type HelpTask } from "../render/help.ts";
import type { CodecPool, CodecResponse } from "./codec/codec-pool.ts";
import type { CodecRequest } from "./codec/protocol.ts";
import type { JobSources, SharedLevels } from "./source-store.ts";

/** A request to a codec process. */
interface CodecCall {
  readonly kind: "codec";
  readonly request: CodecRequest;
  readonly input: Uint8Array;
}

/** Has a source decoded, and its pixels sent piece by piece: each after a `TakenNotice` of the one before. */
interface PixelsCall {
  readonly kind: "pixels";
  readonly sha256: string;
  readonly input: Uint8Array;
}

/** Says that the memory of a piece of pixels may be used again. It has the call of these and gets no reply. */
interface TakenNotice {
  readonly kind: "taken";
}

/** Asks for a prepared source. */
interface ClaimCall {
  readonly kind: "claim";
  readonly sha256: string;
}

/** Says that this job has prepared a source after a claim. */
interface SettleCall {
  readonly kind: "settle";
  readonly sha256: string;
}

/** Asks an idle thread for help. */
interface HelpCall {
  readonly kind: "help";
  readonly task: HelpTask;
}

type Call = CodecCall | PixelsCall | ClaimCall | SettleCall | HelpCall;

type Reply<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: PlainError };

/**
 * What comes before the reply to a `PixelsCall`: the picture that begins, perhaps anew, with a place for its levels, and
 * its pixels in order.
 */
type Part =
  | { readonly picture: Omit<ByteImage, "pixels">; readonly place: SharedLevels }
  | { readonly pixels: Uint8Array };

/** A message, with the number of its call: several may be under way. */
type Numbered<Message> = Message & { readonly call: number };

/** What a job can call. */
export interface JobServices {
  readonly codec: Codec;
  readonly help: AskForHelp;
}

/** Sources in the shared block whose opened levels a thread keeps: their filters and means. */
const OPENED = 16;

const opened = new LRUCache<number, SourceLevels>({ max: OPENED });

/** The block of prepared sources, as this thread's kernels read it. */
let block: SharedArrayBuffer | undefined;

/** Has kernels of this thread read the block of prepared sources. */
export function shareBlock(memory: WebAssembly.Memory): void {
  registerMemory(memory);
  block = memory.buffer as unknown as SharedArrayBuffer;
}

/** Returns a place in the memory that kernels read, if it is there: each message has the block as an object of its own. */
const inBlock = (shared: SharedLevels): SharedLevels =>
  shared.isInBlock && block !== undefined ? { ...shared, memory: block } : shared;

/** Opens levels that threads share, as this thread has before. */
function openShared(shared: SharedLevels): SourceLevels {
  const levels = opened.get(shared.id) ?? openLevels(inBlock(shared));
  if (shared.isInBlock) opened.set(shared.id, levels);
  return levels;
}

/**
 * Returns the services of one job; the other end of `port` belongs to `serveJob`.
 * @param known the levels of the job's source, if they were prepared when it began
 */
export function jobServices(port: MessagePort, known: SharedLevels | null): JobServices {
  let calls = 0;
  const call = <Result>(
    message: Call,
    transfer: ArrayBuffer[] = [],
    onPart: (part: Part) => void = () => undefined,
  ) => {
    const number = calls++;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const receive = (received: Numbered<Reply<Result> | Part>) => {
      if (received.call !== number) return;
      try {
        if (!("ok" in received)) {
          onPart(received);
          if ("pixels" in received)
            port.postMessage({ kind: "taken", call: number } satisfies Numbered<TakenNotice>);
          return;
        }
        if (!received.ok) throw fromPlain(received.error);
        resolve(received.result);
      } catch (error) {
        reject(error);
      }
      port.off("message", receive);
    };
    port.on("message", receive);
    port.postMessage({ ...message, call: number } satisfies Numbered<Call>, transfer);
    return promise;
  };
  const run = <Request extends CodecRequest>(
    request: Request,
    input: Uint8Array,
    transfer?: ArrayBuffer[],
  ) => call<CodecResponse<Request>>({ kind: "codec", request, input }, transfer);
  const codec: Codec = {
    async decode(bytes) {
      const { result, output } = await run({ kind: "decode", sha256: null }, bytes);
      return { ...result, pixels: output };
    },
    async levels({ sha256, bytes }) {
      if (known?.sha256 === sha256) return openShared(known);
      const shared = await call<SharedLevels | null>({ kind: "claim", sha256 });
      if (shared !== null) return openShared(shared);
      let writer: LevelWriter | undefined;
      await call<null>({ kind: "pixels", sha256, input: bytes }, [], (part) => {
        if ("pixels" in part) return writer?.write(part.pixels);
        const { picture, place } = part;
        writer = writeLevels(picture, () => inBlock(place));
      });
      // The port closes with the job, and drops what has not been read.
      await call<null>({ kind: "settle", sha256 });
      return (writer as unknown as LevelWriter).levels;
    },
    async encode(pixels, size, format, options) {
      const request = { kind: "encode", size, format, options } as const;
      const { buffer } = pixels;
      // Shared memory is not copied either: it is read until the reply.
      return (await run(request, pixels, buffer instanceof ArrayBuffer ? [buffer] : [])).output;
    },
  };
  return { codec, help: (task) => call({ kind: "help", task }) };
}

interface ServedBy {
  readonly codecs: CodecPool;
  readonly sources: JobSources;
  /** Has an idle thread work on a task, see `AskForHelp`. */
  readonly help: (task: HelpTask, signal: AbortSignal) => Promise<Finished>;
}

/**
 * Serves the requests of a job until `port` closes.
 * @param signal aborts when the job is cancelled or has ended
 */
export function serveJob(
  port: MessagePort,
  { codecs, sources, help }: ServedBy,
  signal: AbortSignal,
): void {
  /** What to call once a piece of pixels is taken, by call. */
  const taken = new Map<number, () => void>();
  const serve = async (asked: Numbered<Call>) => {
    const { call } = asked;
    switch (asked.kind) {
      case "codec":
        return codecs.run(asked.request, asked.input, signal);
      case "pixels": {
        const { sha256, input } = asked;
        const send = (part: Part) => port.postMessage({ ...part, call } satisfies Numbered<Part>);
        const begin = (picture: Omit<ByteImage, "pixels">, bytes: number) => {
          // What is not written would show what was there before.
          const { width, height, channels } = picture;
          if (bytes !== width * height * channels) throw new Error("the codec lost pixels");
          send({ picture, place: sources.allocate(sha256, levelBytes(picture)) });
          return async (pixels: Uint8Array) => {
            if (isClosed) return;
            const { promise, resolve } = Promise.withResolvers<void>();
            taken.set(call, resolve);
            send({ pixels });
            await promise;
          };
        };
        await codecs.stream({ kind: "decode", sha256 }, input, begin, signal);
        return null;
      }
      case "settle":
        sources.settle(asked.sha256);
        return null;
      case "help":
        return help(asked.task, signal);
      case "claim":
        return sources.claim(asked.sha256);
    }
  };
  let isClosed = false;
  port.on("message", async (asked: Numbered<Call | TakenNotice>) => {
    const { call } = asked;
    if (asked.kind === "taken") return taken.get(call)?.();
    try {
      const result = await serve(asked);
      const reply: Numbered<Reply<typeof result>> = { call, ok: true, result };
      port.postMessage(reply, transferOf(result));
    } catch (error) {
      port.postMessage({ call, ok: false, error: toPlain(error) } satisfies Numbered<Reply<never>>);
    }
  });
  port.on("close", () => {
    isClosed = true;
    sources.end();
    for (const resolve of taken.values()) resolve();
  });
}

/** Returns the memory of a result that goes to the thread instead of being copied. */
function transferOf(
  result: CodecResponse<CodecRequest> | Finished | SharedLevels | null,
): ArrayBuffer[] {
  if (result instanceof Map) return bytesIn(result).map(({ buffer }) => buffer as ArrayBuffer);
  return result !== null && "output" in result ? [result.output.buffer] : [];
}
