import type { IncomingMessage } from "node:http";
import { Transform } from "node:stream";
import { TooManyBytes } from "../../actions/errors.ts";
import { MalformedRequest } from "../errors.ts";

export interface BoundedRequest {
  /** The body as a stream with the request's headers, which is what body parsers read. */
  readonly request: Transform & Pick<IncomingMessage, "headers">;
  /** Rejects with TooManyBytes or MalformedRequest when the body is too long or breaks off. */
  readonly failed: Promise<never>;
  /** Lets what is left of the body run out unread, so that the client gets to read the answer. */
  release(): void;
}

/** A view of a request that ends with an error after `maximumBytes`, whatever reads from it. */
export function boundedRequest(incoming: IncomingMessage, maximumBytes: number): BoundedRequest {
  let received = 0;
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.byteLength;
      done(received > maximumBytes ? new TooManyBytes("the body", maximumBytes) : null, chunk);
    },
  });
  const failed = new Promise<never>((_, reject) => body.once("error", reject));
  // Nobody may be waiting any more when the client breaks off.
  failed.catch(() => undefined);
  incoming.once("close", () => {
    if (!incoming.complete) body.destroy(new MalformedRequest("the body ended in the middle"));
  });
  incoming.pipe(body);
  return {
    request: Object.assign(body, { headers: incoming.headers }),
    failed,
    release() {
      incoming.unpipe(body);
      incoming.resume();
    },
  };
}
