/** Server-sent events as a byte stream. */
import { Readable } from "node:stream";

/** Comments keep proxies from closing a quiet stream. */
const KEEP_ALIVE_MS = 15_000;

/** Bytes that may wait for a slow reader: a dozen images. Then it is disconnected. */
const WAITING_BYTES = 12 * 1024 * 1024;

export interface EventStream {
  /** The stream closes when its reader disconnects; a reader that is too slow is disconnected. */
  readonly bytes: Readable;
  /** Queues an event. Does nothing after the stream is closed. */
  send(event: string, data: string): void;
  /** Ends the stream after what is queued. */
  close(): void;
}

/** Opens a stream; `onClose` is called once, whatever ends it. */
export function createEventStream(onClose: () => void): EventStream {
  let isOpen = true;
  const leave = () => {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(keepAlive);
    onClose();
  };
  const bytes = new Readable({
    // Data is pushed as it arrives.
    read: () => undefined,
    destroy(error, done) {
      leave();
      done(error);
    },
  });
  const push = (text: string) => {
    if (!isOpen) return;
    bytes.push(text);
    if (bytes.readableLength > WAITING_BYTES) bytes.destroy();
  };
  const keepAlive = setInterval(() => push(": still here\n\n"), KEEP_ALIVE_MS);
  keepAlive.unref();

  return {
    bytes,
    // JSON contains no line breaks, so one line of data is enough.
    send: (event, data) => push(`event: ${event}\ndata: ${data}\n\n`),
    close() {
      leave();
      bytes.push(null);
    },
  };
}
