/** In any notation, an address is checked before anything connects. */
import t from "tap";
import { parseHttpUrl } from "../../server/outbound/index.ts";
import { ELSEWHERE, LOOPBACK, NAMES } from "./loopback-spellings.ts";
import { echo, fetchText, httpServer, unreachable } from "./test-servers.ts";

t.test("blocks every spelling of loopback addresses", async (t) => {
  const server = await httpServer(t, echo().listener);
  for (const host of [...LOOPBACK, ...ELSEWHERE, ...NAMES]) {
    await t.rejects(
      fetchText(`http://${host}:${server.port}/`, { allow: [] }),
      unreachable(/leads to no public address$/),
      host,
    );
  }
  t.equal(server.connections(), 0);
});

t.test("an allowed range permits every spelling of its addresses only", async (t) => {
  const server = await httpServer(t, echo().listener);
  for (const host of LOOPBACK) {
    const text = await fetchText(`http://${host}:${server.port}/`, { allow: ["127.0.0.0/8"] });
    t.equal(text, `at 127.0.0.1:${server.port} /`, host);
  }
  for (const host of ELSEWHERE) {
    const target = `http://${host}:${server.port}/`;
    await t.rejects(
      fetchText(target, { allow: ["127.0.0.0/8"] }),
      unreachable(/no public address/),
      host,
    );
  }
  t.equal(server.connections(), LOOPBACK.length);
});

t.test("an allowed range ends at its last address", async (t) => {
  const server = await httpServer(t, echo().listener, { host: "127.0.0.2" });
  const target = `http://127.0.0.2:${server.port}/`;
  t.match(await fetchText(target, { allow: ["10.0.0.0/8", "127.0.0.2/31"] }), "at 127.0.0.2");
  await t.rejects(fetchText(target, { allow: ["127.0.0.0/31"] }), unreachable(/no public address/));
  await t.rejects(fetchText(target, { allow: ["::/0"] }), unreachable(/no public address/));
});

t.test("rejects invalid addresses", async (t) => {
  const http = { expected: "an http:// or https:// address" };
  const open = { expected: "an address without a user name and password" };
  const cases: readonly [text: string, issue: object][] = [
    ["", { ...http, received: "no address" }],
    ["cats.example/picture.png", { ...http, received: "no address" }],
    ["/picture.png", http],
    ["http://", http],
    ["http://[::1%25lo]/", http],
    ["http://1.2.3.4.5/", http],
    ["http://exa mple/", http],
    ["http://cats.example:99999/", http],
    ["file:///etc/passwd", { ...http, received: "one with file:" }],
    ["ftp://cats.example/", { ...http, received: "one with ftp:" }],
    ["data:image/png;base64,AAAA", { ...http, received: "one with data:" }],
    ["javascript:1", http],
    ["gopher://cats.example/", http],
    ["http://user@cats.example/", open],
    ["http://user:secret@cats.example/", { ...open, message: /^(?!.*secret)/ }],
    ["https://:secret@cats.example/", open],
  ];
  for (const [text, issue] of cases) {
    t.throws(() => parseHttpUrl(text), { name: "InvalidUrl", ...issue }, text);
  }
});

t.test("parses addresses like browsers", async (t) => {
  const hrefs: readonly [text: string, href: string][] = [
    ["HTTP://Cats.Example:80/A b?c#d", "http://cats.example/A%20b?c#d"],
    ["https://bücher.example", "https://xn--bcher-kva.example/"],
    ["https://cats.example./x", "https://cats.example/x"],
    ["http://public.example\\@private.example/", "http://public.example/@private.example/"],
    ["http://cats.example/\u0000", "http://cats.example/"],
    ["\thttp://cats.exa\nmple/", "http://cats.example/"],
  ];
  for (const [text, href] of hrefs) t.equal(parseHttpUrl(text).href, href);
});
