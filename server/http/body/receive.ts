import type { IncomingMessage } from "node:http";
import { finished, Transform, Writable } from "node:stream";
import type { Context } from "koa";
import { PayloadTooLarge } from "../../actions/errors.ts";
import { MalformedRequest, RequestTimeout } from "../errors.ts";

export interface BodyLimits {
  readonly maximumBytes: number;
  /**
   * Called with the total number of bytes before memory is allocated; throws if there are too many.
   */
  readonly hold: (bytes: number) => void;
  /** Maximum time between two chunks of a body. */
  readonly idleMs: number;
}

/** A body with the request's headers: the input of body parsers. */
export type ReceivedBody = Transform & Pick<IncomingMessage, "headers">;

/**
 * Resolves with the result of `read`. Rejects with PayloadTooLarge, MalformedRequest for an incomplete
 * body, RequestTimeout for one that stalls, and with errors of `hold` and `read`; the rest of the
 * body is then not read.
 */
export async function receiveBody<Result>(
  ctx: Context,
  limits: BodyLimits,
  read: (body: ReceivedBody) => Promise<Result>,
): Promise<Result> {
  const { maximumBytes, hold, idleMs } = limits;
  const declared = declaredLength(ctx) ?? 0;
  if (declared > maximumBytes) throw new PayloadTooLarge("the body", maximumBytes);
  hold(declared);
  let received = 0;
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.byteLength;
      try {
        if (received > maximumBytes) throw new PayloadTooLarge("the body", maximumBytes);
        if (received > declared) hold(received);
        inTurns(chunk.byteLength, () => done(null, chunk));
      } catch (error) {
        done(error as Error);
      }
    },
  });
  const failed = new Promise<never>((_, reject) => body.once("error", reject));
  // A client may disconnect after the body was read.
  failed.catch(() => undefined);
  const { req } = ctx;
  const forget = finished(req, { writable: false }, (error) => {
    if (error) body.destroy(new MalformedRequest("the body ended in the middle"));
  });
  const silent = `nothing of the body arrived for ${idleMs / 1000} seconds`;
  const onTimeout = () => body.destroy(new RequestTimeout(silent));
  req.setTimeout(idleMs, onTimeout);
  req.pipe(body);
  try {
    return await Promise.race([read(Object.assign(body, { headers: req.headers })), failed]);
  } finally {
    req.setTimeout(0);
    // The listener keeps the body in memory, and a request may outlive its body by half a minute.
    req.off("timeout", onTimeout);
    forget();
    req.unpipe(body);
    req.pause();
  }
}

/** Most bytes of all bodies that are read in one turn of the event loop, beyond a chunk of each. */
const TURN_BYTES = 1024 * 1024;

let readInTurn = 0;

/**
 * Continues at once, or in the next turn of the event loop if too much was read in this one: libuv reads up to
 * 2 MB of each connection in a turn.
 */
function inTurns(bytes: number, proceed: () => void): void {
  if (readInTurn === 0) {
    setImmediate(() => {
      readInTurn = 0;
    });
  }
  readInTurn += bytes;
  if (readInTurn > TURN_BYTES) setImmediate(proceed);
  else proceed();
}

/** Returns the value of Content-Length; null without it. */
export function declaredLength(ctx: Context): number | null {
  const length = ctx.get("Content-Length");
  return length === "" ? null : Number(length);
}

/** Collects written bytes in shared memory, without copying them again. */
export class SharedBytes extends Writable {
  readonly #space: Uint8Array;
  #length = 0;

  /** @param capacity bytes at most; memory is taken only as it is written */
  constructor(capacity: number) {
    super();
    this.#space = new Uint8Array(new SharedArrayBuffer(capacity));
  }

  /** The bytes written so far. */
  get bytes(): Uint8Array {
    return this.#space.subarray(0, this.#length);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    if (this.#length + chunk.byteLength > this.#space.byteLength) {
      done(new RangeError(`expected at most ${this.#space.byteLength} bytes`));
      return;
    }
    this.#space.set(chunk, this.#length);
    this.#length += chunk.byteLength;
    done();
  }
}
