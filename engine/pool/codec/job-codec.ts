/** Gives jobs in threads access to the codec processes, which the main thread starts and kills. */

import { once } from "node:events";
import type { MessagePort } from "node:worker_threads";
import { fromPlain, type PlainError, toPlain } from "../../errors.ts";
import type { DecodedImage } from "../../image/picture.ts";
import type { Codec } from "../../render/codec.ts";
import type { CodecPool, CodecResponse } from "./codec-pool.ts";
import type { CodecRequest, CodecResults } from "./protocol.ts";

interface CodecCall {
  readonly request: CodecRequest;
  readonly input: Uint8Array;
}

type Reply =
  | ({ readonly ok: true } & CodecResponse<CodecRequest>)
  | { readonly ok: false; readonly error: PlainError };

/** Returns the codec of one job; the other end of `port` belongs to `serveCodec`. */
export function jobCodec(port: MessagePort): Codec {
  const run = async <Request extends CodecRequest>(
    request: Request,
    input: Uint8Array,
    transfer: ArrayBuffer[],
  ) => {
    const replied = once(port, "message");
    port.postMessage({ request, input } satisfies CodecCall, transfer);
    const reply: Reply = (await replied)[0];
    if (!reply.ok) throw fromPlain(reply.error);
    return { result: reply.result as CodecResults[Request["kind"]], output: reply.output };
  };
  return {
    async decode(bytes): Promise<DecodedImage> {
      const { result, output } = await run({ kind: "decode" }, bytes, []);
      return result.bits === 16
        ? { ...result, bits: 16, pixels: new Uint16Array(output.buffer) }
        : { ...result, bits: 8, pixels: output };
    },
    async decodeInEightBits(bytes) {
      const { result, output } = await run({ kind: "decodeInEightBits" }, bytes, []);
      return { ...result, pixels: output };
    },
    async encode(pixels, size, format, options) {
      const request = { kind: "encode", size, format, options } as const;
      return (await run(request, pixels, [pixels.buffer as ArrayBuffer])).output;
    },
  };
}

/**
 * Serves the codec requests of a job until `port` closes.
 * @param signal aborts when the job is cancelled or has ended
 */
export function serveCodec(port: MessagePort, pool: CodecPool, signal: AbortSignal): void {
  port.on("message", async ({ request, input }: CodecCall) => {
    try {
      const done = await pool.run(request, input, signal);
      port.postMessage({ ok: true, ...done } satisfies Reply, [done.output.buffer]);
    } catch (error) {
      port.postMessage({ ok: false, error: toPlain(error) } satisfies Reply);
    }
  });
}
