/** Receivers that fail in different ways, and the expected results. */
import type { Test } from "tap";
import { PEM } from "../outbound/certificate.ts";
import { nameServer } from "../outbound/name-server.ts";
import { httpServer, rawServer, tlsServer } from "../outbound/test-servers.ts";

export interface Failing {
  readonly url: string;
  readonly status: number | null;
  readonly body: string | null;
  readonly error: RegExp;
}

const HUGE = "0123456789abcdef".repeat(4096);
const LATE = /^no complete response came within 0\.3 seconds$/;
const answering = (t: Test, status: number, headers: Record<string, string> = {}, body = "no") =>
  httpServer(t, (_, response) => void response.writeHead(status, headers).end(body));

/** Starts all of them. `resolve` resolves their names. */
export async function failingReceivers(t: Test) {
  const names = await nameServer(t, { "moves.test": ["127.0.0.1"], "cats.test": ["127.0.0.1"] });
  const elsewhere = await answering(t, 200, {}, "never to be seen");
  const closed = await httpServer(t, () => undefined);
  const moving = await answering(t, 200);
  const ways: Record<string, Failing> = {
    "refuses the connection": {
      url: "http://127.0.0.1:1/",
      status: null,
      body: null,
      error: /^127\.0\.0\.1:1 refused the connection$/,
    },
    "says nothing": {
      url: (await rawServer(t, () => undefined)).url,
      status: null,
      body: null,
      error: LATE,
    },
    "drips its answer": {
      url: (
        await httpServer(t, (_, response) => {
          response.write("d");
          const timer = setInterval(() => response.write("r"), 100);
          response.on("close", () => clearInterval(timer));
        })
      ).url,
      status: 200,
      body: "drr",
      error: LATE,
    },
    "resets the connection": {
      url: (await rawServer(t, (socket) => void socket.resetAndDestroy())).url,
      status: null,
      body: null,
      error: /closed the connection$/,
    },
    redirects: {
      url: (await answering(t, 307, { Location: elsewhere.url })).url,
      status: 307,
      body: "no",
      error: /answered 307, and redirects are not followed$/,
    },
    "answers 400": {
      url: (await answering(t, 400)).url,
      status: 400,
      body: "no",
      error: /answered 400$/,
    },
    "answers 410": {
      url: (await answering(t, 410, {}, "gone")).url,
      status: 410,
      body: "gone",
      error: /answered 410$/,
    },
    "answers 429": {
      url: (await answering(t, 429, { "Retry-After": "86400" })).url,
      status: 429,
      body: "no",
      error: /answered 429$/,
    },
    "answers 500, with a NUL": {
      url: (await answering(t, 500, {}, "a\0b")).url,
      status: 500,
      body: "a\ufffdb",
      error: /answered 500$/,
    },
    "has a certificate that nobody vouches for": {
      url: `https://cats.test:${(await tlsServer(t, PEM, (_, response) => void response.end())).port}/`,
      status: null,
      body: null,
      error: /has no valid TLS certificate$/,
    },
    "answers at length": {
      url: (await answering(t, 503, {}, HUGE)).url,
      status: 503,
      body: HUGE.slice(0, 4096),
      error: /answered 503$/,
    },
    "has no name any more": {
      url: `http://gone.test:${closed.port}/`,
      status: null,
      body: null,
      error: /^gone\.test:\d+ leads to no public address$/,
    },
    "moved to a private address": {
      url: `http://moves.test:${moving.port}/`,
      status: null,
      body: null,
      error: /^moves\.test:\d+ leads to no public address$/,
    },
    "hangs after its headers": {
      url: (await httpServer(t, (_, response) => response.flushHeaders())).url,
      status: 200,
      body: "",
      error: LATE,
    },
  };
  return { ways, names, elsewhere, moving };
}
