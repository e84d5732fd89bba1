/**
 * Gives jobs in threads access to what the main thread has: the codec processes, which it starts and
 * kills, and the prepared sources.
 */

import { once } from "node:events";
import type { MessagePort } from "node:worker_threads";
import { fromPlain, type PlainError, toPlain } from "../../errors.ts";
import { openLevels, prepareLevels } from "../../image/source-levels.ts";
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

type Call = CodecCall | ClaimCall | SettleCall;

type Reply<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: PlainError };

/** Returns the codec of one job; the other end of `port` belongs to `serveCodec`. */
export function jobCodec(port: MessagePort): Codec {
  const call = async <Result>(message: Call, transfer: ArrayBuffer[] = []) => {
    const replied = once(port, "message");
    port.postMessage(message, transfer);
    const reply: Reply<Result> = (await replied)[0];
    if (!reply.ok) throw fromPlain(reply.error);
    return reply.result;
  };
  const run = <Request extends CodecRequest>(
    request: Request,
    input: Uint8Array,
    transfer?: ArrayBuffer[],
  ) => call<CodecResponse<Request>>({ kind: "codec", request, input }, transfer);
  const decode = async (bytes: Uint8Array, sha256: string | null) => {
    const request = { kind: "decode", sha256 } as const;
    const { result, output } = await run(request, bytes);
    return { ...result, pixels: output };
  };
  return {
    decode: (bytes) => decode(bytes, null),
    async levels({ sha256, bytes }) {
      const known = await call<SharedArrayBuffer | null>({ kind: "claim", sha256 });
      if (known !== null) return openLevels(known);
      let memory = new SharedArrayBuffer(0);
      const allocate = (length: number) => {
        memory = new SharedArrayBuffer(length);
        return memory;
      };
      const levels = prepareLevels(await decode(bytes, sha256), allocate);
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
