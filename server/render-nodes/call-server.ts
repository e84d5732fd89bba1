/** Serves this process's engine to other nodes, on a port of its own. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { context } from "@opentelemetry/api";
import { LRUCache } from "lru-cache";
import { LIMITS, Overloaded } from "../../engine/index.ts";
import type { InFlight } from "../actions/in-flight.ts";
import { contextOf } from "../actions/spans.ts";
import {
  BUILD_HEADER,
  buildOf,
  CALL_BYTES,
  CALL_PATH,
  SOURCE_PATH,
  STOPPING_HEADER,
} from "./protocol.ts";
import { receiveBytes } from "./receive-bytes.ts";
import { type CallContext, MalformedCall, parseCall, runCall } from "./run-call.ts";

/** Bytes of the sources that other nodes have sent, several of the largest size. */
const KEPT_BYTES = 128 * 1024 * 1024;

export interface CallServerOptions extends Omit<CallContext, "sources"> {
  /** Of all nodes. */
  readonly secret: string;
  /** Bytes of the bodies of all requests to this process, until they are done. */
  readonly inFlight: InFlight;
  /** Most time between two pieces of a body, in milliseconds. */
  readonly idleMs: number;
}

/** A request that is refused before its body is read. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number) {
    super(String(status));
    this.status = status;
  }
}

/**
 * Returns the listener. It answers 401 without the secret, 409 to callers of another build, 411 and 413 where a body has
 * no length or is too large, 503 where too many arrive, before it reads anything of a body; 400 to what is malformed, and
 * 422 where a source has another hash. To a GET of the path of calls it answers 204, and says whether it stops.
 */
export function createCallServer(options: CallServerOptions): RequestListener {
  const { engine, secret, inFlight, idleMs, isStopping } = options;
  const build = buildOf(engine.version);
  const expected = Buffer.from(`Bearer ${secret}`);
  const sources = new LRUCache<string, Uint8Array>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ byteLength }) => Math.max(1, byteLength),
  });

  /** Has `work` done while the bytes of the request's body count. */
  const withLength = async (
    { headers }: IncomingMessage,
    maximum: number,
    work: (length: number) => Promise<void>,
  ) => {
    const length = Number(headers["content-length"] ?? Number.NaN);
    if (!Number.isSafeInteger(length)) throw new Refusal(411);
    if (length > maximum) throw new Refusal(413);
    const release = inFlight.take([], length);
    await work(length).finally(release);
  };
  const keepSource = async (request: IncomingMessage, sha256: string, length: number) => {
    // A piece at a time: all at once would block the event loop.
    const digest = createHash("sha256");
    const bytes = await receiveBytes(request, length, idleMs, (piece) => digest.update(piece));
    if (digest.digest("hex") !== sha256) throw new Refusal(422);
    sources.set(sha256, bytes);
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url = "", headers } = request;
    if (!isSame(Buffer.from(headers.authorization ?? ""), expected)) throw new Refusal(401);
    if (headers[BUILD_HEADER] !== build) throw new Refusal(409);
    if (method === "GET" && url === CALL_PATH) {
      return void response.writeHead(204, isStopping() ? { [STOPPING_HEADER]: "1" } : {}).end();
    }
    if (method === "POST" && url === CALL_PATH) {
      return withLength(request, CALL_BYTES, async (length) => {
        const call = parseCall(await receiveBytes(request, length, idleMs));
        await context.with(
          contextOf(headers),
          runCall,
          undefined,
          { ...options, sources },
          call,
          response,
        );
      });
    }
    const [, sha256] = SOURCE_URL.exec(url) ?? [];
    if (method !== "PUT" || sha256 === undefined) throw new Refusal(404);
    await withLength(request, LIMITS.source.bytes, (length) => keepSource(request, sha256, length));
    response.writeHead(204).end();
  };
  return async (request, response) => {
    try {
      await serve(request, response);
    } catch (error) {
      if (response.headersSent) return response.destroy();
      // What is left of the body is not read.
      response.writeHead(statusOf(error), { Connection: "close" }).end();
    }
  };
}

const SOURCE_URL = new RegExp(`^${SOURCE_PATH}([\\da-f]{64})$`);

function statusOf(error: unknown): number {
  if (error instanceof Refusal) return error.status;
  if (error instanceof Overloaded) return 503;
  return error instanceof MalformedCall ? 400 : 500;
}

/** Whether two secrets are the same, in a time that says nothing of where they differ. */
function isSame(given: Buffer, expected: Buffer): boolean {
  return given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
}
