/** An object store behind a proxy, and the faults that it may have. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Test } from "tap";
import { objectServer } from "../helpers/object-store.ts";
import { portOf } from "../helpers/port-of.ts";

export interface FaultyObjectStore {
  /** For `OBJECT_STORE_URL`. */
  readonly url: string;
  /** Ends the server, and starts it again after some time. */
  stop(milliseconds: number): Promise<void>;
  /** Accepts requests and answers none for some time. */
  freeze(milliseconds: number): Promise<void>;
  /** Delays requests by up to `WAIT_MS`, and each piece of their answers, for some time. */
  slowDown(milliseconds: number): Promise<void>;
  /** Most requests get an error, or lose their connection before or within the answer, for some time. */
  fail(milliseconds: number): Promise<void>;
}

const WAIT_MS = 2000;
const PIECE_MS = 200;

/** Starts it until the test ends. */
export async function startFaultyObjectStore(
  t: Test,
  random: () => number,
): Promise<FaultyObjectStore> {
  const server = await objectServer(t);
  let fault: "none" | "slow" | "failing" = "none";

  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const isSlow = fault === "slow";
    // Above 1: nothing happens to it.
    const lot = fault === "failing" ? random() : 2;
    if (isSlow) await delay(WAIT_MS * random());
    if (lot < 0.3) {
      incoming.resume();
      outgoing.writeHead(lot < 0.15 ? 500 : 503).end();
      return;
    }
    if (lot < 0.45) throw new Error("the connection breaks before the request is carried out");
    const { method, headers, url: path = "/" } = incoming;
    const target = new URL(path, server.url.replace(/^s3:.*@/, "http://"));
    // The server may just close a connection that was kept.
    const onwards = request(target, { method, headers, agent: false });
    onwards.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onwards.destroy());
    incoming.pipe(onwards);
    const [answer]: IncomingMessage[] = await once(onwards, "response");
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    await pipeline(
      answer,
      async function* (chunks: AsyncIterable<Buffer>) {
        if (lot < 0.6) throw new Error("the connection breaks after the headers");
        for await (const chunk of chunks) {
          if (isSlow) await delay(PIECE_MS * random());
          yield lot < 0.75 ? chunk.subarray(0, chunk.length >> 1) : chunk;
          if (lot < 0.75) throw new Error("the connection breaks within the body");
        }
      },
      outgoing,
    );
  };
  const proxy = createServer((incoming, outgoing) => {
    forward(incoming, outgoing).catch(() => outgoing.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  t.teardown(() => {
    proxy.closeAllConnections();
    proxy.close();
  });

  const during = async (one: typeof fault, milliseconds: number) => {
    fault = one;
    await delay(milliseconds);
    fault = "none";
  };
  return {
    url: server.url.replace(/:\d+(?=\/)/, `:${portOf(proxy)}`),
    async stop(milliseconds) {
      await server.stop();
      await delay(milliseconds);
      await server.start();
    },
    async freeze(milliseconds) {
      server.freeze(true);
      await delay(milliseconds);
      server.freeze(false);
    },
    slowDown: (milliseconds) => during("slow", milliseconds),
    fail: (milliseconds) => during("failing", milliseconds),
  };
}
