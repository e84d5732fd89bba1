/** Reads the records of a response. */
import type { IncomingMessage } from "node:http";
import { NodeLost } from "./errors.ts";
import {
  ALIVE_MS,
  JSON_BYTES,
  type Message,
  PARTS_BYTES,
  RECORD,
  RECORD_HEAD_BYTES,
} from "./protocol.ts";

/** A node that has sent nothing for so long, while its bytes were awaited, is lost. */
const SILENT_MS = 15 * ALIVE_MS;

export type ReceivedRecord =
  | { readonly kind: "message"; readonly message: Message; readonly parts: readonly Uint8Array[] }
  /** A piece of a stream: all of a record, or a part of it. */
  | { readonly kind: "bytes"; readonly bytes: Uint8Array };

export interface RecordReader {
  /** Resolves with the next record. Throws `NodeLost`. */
  next(): Promise<ReceivedRecord>;
  /** To be called after the last record: the connection may carry another request. */
  finish(): void;
  /** Ends the connection, and with it the work of the node. */
  destroy(): void;
}

export function createRecordReader(response: IncomingMessage): RecordReader {
  const chunks: AsyncIterator<Buffer> = response[Symbol.asyncIterator]();
  let received: Uint8Array = new Uint8Array();
  /** Bytes that are left of a record of a stream. */
  let streaming = 0;
  let isStopping = false;

  const receive = async () => {
    const wasStopping = isStopping;
    const silence = new NodeLost(`it sent nothing for ${SILENT_MS / 1000} s`, { wasStopping });
    const timer = setTimeout(() => response.destroy(silence), SILENT_MS);
    try {
      const { done, value } = await chunks.next();
      if (done) throw new NodeLost("its response ended early", { wasStopping });
      received = value;
    } catch (error) {
      if (error instanceof NodeLost) throw error;
      throw new NodeLost((error as Error).message, { cause: error, wasStopping });
    } finally {
      clearTimeout(timer);
    }
  };
  /** Takes at most so many of the bytes that have been received, and at least one. */
  const takeSome = async (length: number) => {
    while (received.byteLength === 0) await receive();
    const taken = received.subarray(0, length);
    received = received.subarray(taken.byteLength);
    return taken;
  };
  const take = async (length: number) => {
    const whole = new Uint8Array(length);
    for (let filled = 0; filled < length; ) {
      const some = await takeSome(length - filled);
      whole.set(some, filled);
      filled += some.byteLength;
    }
    return whole;
  };
  const readMessage = async (length: number) => {
    if (length > JSON_BYTES) throw new NodeLost("it sent a message that is too long");
    const text = new TextDecoder().decode(await take(length));
    const { message, parts: lengths }: { message: Message; parts: number[] } = JSON.parse(text);
    if (lengths.reduce((sum, one) => sum + one, 0) > PARTS_BYTES) {
      throw new NodeLost("it sent a result that is too large");
    }
    const parts: Uint8Array[] = [];
    for (const one of lengths) parts.push(await take(one));
    if (message.kind === "alive") ({ isStopping } = message);
    return { kind: "message", message, parts } as const;
  };

  return {
    async next() {
      while (streaming === 0) {
        const head = await take(RECORD_HEAD_BYTES);
        const length = new DataView(head.buffer).getUint32(1);
        if (head[0] === RECORD.message) return readMessage(length);
        if (head[0] !== RECORD.bytes) throw new NodeLost("it sent an unknown record");
        streaming = length;
      }
      const bytes = await takeSome(streaming);
      streaming -= bytes.byteLength;
      return { kind: "bytes", bytes };
    },
    finish() {
      const timer = setTimeout(() => response.destroy(), SILENT_MS);
      // Not `resume`, which an iterated stream ignores. The result is complete, so errors do not matter.
      chunks.next().then(
        ({ done }) => {
          clearTimeout(timer);
          if (!done) response.destroy();
        },
        () => clearTimeout(timer),
      );
    },
    destroy() {
      response.destroy();
    },
  };
}
