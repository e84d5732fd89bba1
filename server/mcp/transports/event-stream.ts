/** Server-sent events as a stream of bytes that somebody else puts on the wire. */
import { Readable } from "node:stream";

/** Comments keep proxies from closing a quiet stream. */
const KEEP_ALIVE_MS = 15_000;

/** What may wait for a slow reader: a dozen pictures. Then it is let go. */
const WAITING_BYTES = 12 * 1024 * 1024;

export interface EventStream {
  /** When its reader leaves, the stream is closed; a reader that is too slow is cut off. */
  readonly bytes: Readable;
  /** Queues an event; nothing once the stream is closed. */
  send(event: string, data: string): void;
  /** Ends the stream after what is queued. */
  close(): void;
}

/** An open stream; `closed` is called once, when it ends for whatever reason. */
export function createEventStream(closed: () => void): EventStream {
  let isOpen = true;
  const leave = () => {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(keepAlive);
    closed();
  };
  const bytes = new Readable({
    // What there is has been pushed already.
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
    // JSON holds no line breaks, so one line of data is enough.
    send: (event, data) => push(`event: ${event}\ndata: ${data}\n\n`),
    close() {
      leave();
      bytes.push(null);
    },
  };
}
