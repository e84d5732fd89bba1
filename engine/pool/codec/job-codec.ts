/**
 * Gives jobs in threads access to what the main thread has: the codec processes, which it starts and
 * kills, and the prepared sources.
 */

import type { MessagePort } from "node:worker_threads";
import { fromPlain, type PlainError, toPlain } from "../../errors.ts";
import type { ByteImage } from "../../image/picture.ts";
import { type LevelWriter, openLevels, writeLevels } from "../../image/source-levels.ts";
import type { Codec } from "../../render/codec.ts";
import type { SourceStore } from "../source-store.ts";
import type { CodecPool, CodecResponse } from "./codec-pool.ts";
import type { CodecRequest } from "./protocol.ts";

/** A request to a codec process. */
interface CodecCall {
  readonly kind: "codec";
  readonly request: CodecRequest;
  readonly input: Uint8Array;
}

/** Has a source decoded, and its pixels sent piece by piece. */
interface PixelsCall {
  readonly kind: "pixels";
  readonly sha256: string;
  readonly input: Uint8Array;
}

/** Asks for a prepared source. */
interface ClaimCall {
  readonly kind: "claim";
  readonly sha256: string;
}

/** Hands over a source that this job has prepared after a claim. */
interface SettleCall {
  readonly kind: "settle";
  readonly sha256: string;
  readonly memory: SharedArrayBuffer;
}

type Call = CodecCall | PixelsCall | ClaimCall | SettleCall;

type Reply<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: PlainError };

/** What comes before the reply to a `PixelsCall`: the picture that begins, perhaps anew, and its pixels in order. */
type Part = { readonly picture: Omit<ByteImage, "pixels"> } | { readonly pixels: Uint8Array };

/** Returns the codec of one job; the other end of `port` belongs to `serveCodec`. */
export function jobCodec(port: MessagePort): Codec {
  const call = <Result>(
    message: Call,
    transfer: ArrayBuffer[] = [],
    onPart: (part: Part) => void = () => undefined,
  ) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const receive = (received: Reply<Result> | Part) => {
      try {
        if (!("ok" in received)) return onPart(received);
        if (!received.ok) throw fromPlain(received.error);
        resolve(received.result);
      } catch (error) {
        reject(error);
      }
      port.off("message", receive);
    };
    port.on("message", receive);
    port.postMessage(message, transfer);
    return promise;
  };
  const run = <Request extends CodecRequest>(
    request: Request,
    input: Uint8Array,
    transfer?: ArrayBuffer[],
  ) => call<CodecResponse<Request>>({ kind: "codec", request, input }, transfer);
  return {
    async decode(bytes) {
      const { result, output } = await run({ kind: "decode", sha256: null }, bytes);
      return { ...result, pixels: output };
    },
    async levels({ sha256, bytes }) {
      const known = await call<SharedArrayBuffer | null>({ kind: "claim", sha256 });
      if (known !== null) return openLevels(known);
      let writer: LevelWriter | undefined;
      await call<null>({ kind: "pixels", sha256, input: bytes }, [], (part) => {
        if ("pixels" in part) writer?.write(part.pixels);
        else writer = writeLevels(part.picture, (length) => new SharedArrayBuffer(length));
      });
      const { levels } = writer as unknown as LevelWriter;
      const memory = levels.memory as SharedArrayBuffer;
      // The port closes with the job, and drops what has not been read.
      await call<null>({ kind: "settle", sha256, memory });
      return levels;
    },
    async encode(pixels, size, format, options) {
      const request = { kind: "encode", size, format, options } as const;
      return (await run(request, pixels, [pixels.buffer as ArrayBuffer])).output;
    },
  };
}

/**
 * Serves the requests of a job until `port` closes.
 * @param signal aborts when the job is cancelled or has ended
 */
export function serveCodec(
  port: MessagePort,
  pool: CodecPool,
  sources: SourceStore,
  signal: AbortSignal,
): void {
  /** Sources that this job prepares. */
  const preparing = new Set<string>();
  const settle = (sha256: string, memory: SharedArrayBuffer | null) => {
    preparing.delete(sha256);
    sources.settle(sha256, memory);
  };
  const serve = async (call: Call) => {
    if (call.kind === "codec") return pool.run(call.request, call.input, signal);
    if (call.kind === "pixels") {
      const { sha256, input } = call;
      const begin = (picture: Omit<ByteImage, "pixels">) => {
        port.postMessage({ picture } satisfies Part);
        return (pixels: Uint8Array<ArrayBuffer>) =>
          port.postMessage({ pixels } satisfies Part, [pixels.buffer]);
      };
      await pool.stream({ kind: "decode", sha256 }, input, begin, signal);
      return null;
    }
    if (call.kind === "settle") {
      settle(call.sha256, call.memory);
      return null;
    }
    const memory = await sources.claim(call.sha256);
    if (memory === null) preparing.add(call.sha256);
    return memory;
  };
  let isClosed = false;
  port.on("message", async (call: Call) => {
    try {
      const result = await serve(call);
      if (isClosed) giveUp();
      const transfer = result !== null && "output" in result ? [result.output.buffer] : [];
      port.postMessage({ ok: true, result } satisfies Reply<typeof result>, transfer);
    } catch (error) {
      port.postMessage({ ok: false, error: toPlain(error) } satisfies Reply<never>);
    }
  });
  const giveUp = () => {
    for (const sha256 of preparing) settle(sha256, null);
  };
  port.on("close", () => {
    isClosed = true;
    giveUp();
  });
}
