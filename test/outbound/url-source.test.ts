/** A source from a URL, through the whole service. */

import { createHash } from "node:crypto";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import t, { type Test } from "tap";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { testServer } from "../helpers/server.ts";
import { nameServer } from "./name-server.ts";
import { httpServer } from "./test-servers.ts";

const png = Buffer.from(pngOf(photograph(40, 30)));

/** A service that may reach this machine, and a server beside it at `cats.test`. */
async function start(t: Test, listener: RequestListener) {
  const { resolve } = await nameServer(t, { "cats.test": ["127.0.0.1"] });
  const { port } = await httpServer(t, listener);
  const outbound = { allow: ["127.0.0.1/32"], resolve, totalMs: 500 };
  const server = await testServer(t, { outbound });
  return { server, at: `http://cats.test:${port}` };
}

t.test("fetches and stores a picture, free of charge", async (t) => {
  const { server, at } = await start(t, ({ url }, response) => {
    if (url === "/moved") response.writeHead(301, { Location: "/picture.png?size=2" }).end();
    // The server's media type is not trusted.
    else response.writeHead(200, { "Content-Type": "text/html" }).end(png);
  });
  const json = { url: `${at.toUpperCase()}/moved#part` };
  const made = await server.request("POST", "/sources/url", { json });
  t.equal(made.status, 201);
  t.match(made.json, {
    kind: "url",
    preset: null,
    seed: null,
    url: `${at}/moved#part`,
    media_type: "image/png",
    width: 40,
    height: 30,
    sha256: createHash("sha256").update(png).digest("hex"),
  });
  const image = await server.request("GET", `/sources/${made.json.id}/image`);
  t.ok(image.bytes.equals(png));
  t.equal((await server.request("GET", "/account")).json.credits, server.account.credits);
});

t.test("reports failed fetches, and stores nothing", async (t) => {
  const { server, at } = await start(t, ({ url }, response) => {
    if (url === "/page") response.end("<html>no picture</html>");
    else if (url === "/large") response.writeHead(200, { "Content-Length": 2 ** 25 + 1 }).write("");
    else if (url === "/slow") response.flushHeaders();
    else response.writeHead(404).end();
  });
  const host = at.slice("http://".length);
  const cases: readonly [url: string, status: number, code: string, detail: RegExp | string][] = [
    [
      `${at}/absent`,
      422,
      "source_unreachable",
      `the picture could not be fetched: ${host} answered 404`,
    ],
    [`${at}/slow`, 422, "source_unreachable", /no complete response came within 0\.5 seconds$/],
    ["http://10.0.0.1/", 422, "source_unreachable", /10\.0\.0\.1 leads to no public address$/],
    ["http://absent.test/", 422, "source_unreachable", /absent\.test leads to no public address$/],
    [`${at}/page`, 422, "source_unreadable", /./],
    [`${at}/large`, 413, "payload_too_large", /the picture exceeds the maximum of 33554432 bytes/],
  ];
  for (const [url, status, code, detail] of cases) {
    const answer = await server.request("POST", "/sources/url", { json: { url } });
    t.match({ ...answer.json }, { status, code, detail }, url);
  }
  t.same((await server.request("GET", "/sources")).json.data, []);
});

t.test("an invalid URL is invalid input at its path", async (t) => {
  const { server } = await start(t, () => undefined);
  const addresses = [
    "",
    "cats",
    "file:///etc/passwd",
    "http://u:p@cats.test/",
    `http://${"a".repeat(1994)}`,
  ];
  for (const url of addresses) {
    const { json } = await server.request("POST", "/sources/url", { json: { url } });
    t.match(json, { code: "validation_failed", errors: [{ path: "/url" }] }, url.slice(0, 30));
  }
});

t.test("disconnecting ends the fetch", async (t) => {
  const caller = new AbortController();
  let closed: Promise<unknown> | undefined;
  const { server, at } = await start(t, (_, response) => {
    closed = once(response, "close");
    caller.abort();
  });
  const left = fetch(`${server.url}/api/v1/sources/url`, {
    method: "POST",
    headers: { "X-API-Key": server.key, "Content-Type": "application/json" },
    body: JSON.stringify({ url: at }),
    signal: caller.signal,
  });
  await t.rejects(left, { name: "AbortError" });
  await closed;
  t.same((await server.request("GET", "/sources")).json.data, []);
});
