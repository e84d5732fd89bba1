/** MCP over standard input and output: one message a line. */
import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CancelledNotificationSchema,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { MESSAGE_BYTES } from "../../actions/in-flight.ts";
import { MessageError, parseMessage } from "../message.ts";
import { INVALID_REQUEST } from "../rpc-error.ts";

const NEWLINE = 0x0a;

export interface StdioTransport extends Transport {
  /** Stops reading, and closes when all requests are answered. */
  finish(): void;
}

/**
 * Creates a transport over two streams. Malformed messages get an error response, and overlong ones
 * are skipped; neither ends the session. It finishes when the input ends, and closes immediately
 * when the output fails.
 */
export function stdioTransport(input: Readable, output: Writable): StdioTransport {
  /** Requests that are neither answered nor cancelled. */
  const asked = new Set<RequestId>();
  let line: Buffer[] = [];
  let length = 0;
  let isFinishing = false;
  let isClosed = false;

  const transport: StdioTransport = {
    async start() {
      input.on("data", take);
      input.once("end", () => {
        // The last line may have no line break.
        receive();
        finish();
      });
      input.once("error", finish);
      output.once("error", close);
    },
    async send(message) {
      await write(message);
      if (!("method" in message) && message.id !== undefined) settle(message.id);
    },
    async close() {
      close();
    },
    finish,
  };

  function finish() {
    isFinishing = true;
    input.off("data", take);
    input.pause();
    if (asked.size === 0) close();
  }

  function settle(id: RequestId) {
    asked.delete(id);
    if (isFinishing && asked.size === 0) close();
  }

  function close() {
    if (isClosed) return;
    isClosed = true;
    finish();
    transport.onclose?.();
  }

  function write(message: unknown): Promise<void> {
    if (isClosed || !output.writable) return Promise.resolve();
    return new Promise((resolve) => {
      // An error ends the session by its event.
      output.write(`${JSON.stringify(message)}\n`, () => resolve());
    });
  }

  function deliver(message: JSONRPCMessage) {
    if ("method" in message && "id" in message) asked.add(message.id);
    transport.onmessage?.(message);
    const cancelled = CancelledNotificationSchema.safeParse(message).data?.params.requestId;
    // Cancelled requests get no response.
    if (cancelled !== undefined) settle(cancelled);
  }

  function take(chunk: Buffer) {
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, at));
      receive();
      start = at + 1;
    }
    keep(chunk.subarray(start));
  }

  function keep(part: Buffer) {
    length += part.byteLength;
    if (length <= MESSAGE_BYTES) line.push(part);
    else line = [];
  }

  function receive() {
    const [parts, bytes] = [line, length];
    line = [];
    length = 0;
    try {
      if (bytes > MESSAGE_BYTES) {
        const text = `a message may have ${MESSAGE_BYTES} bytes at most`;
        throw new MessageError(text, { code: INVALID_REQUEST });
      }
      const text = Buffer.concat(parts).toString("utf8").trim();
      if (text !== "") deliver(parseMessage(text));
    } catch (error) {
      if (!(error instanceof MessageError)) throw error;
      const { id, code, message } = error;
      void write({ jsonrpc: "2.0", id, error: { code, message } });
    }
  }

  return transport;
}
