/** The editor's files: their sizes, and how they are served. */
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import t, { type Test } from "tap";
import { editorBundle } from "../../editor/bundle.ts";
import { testServer } from "../helpers/server.ts";

/** Bytes that a browser loads before it shows the first screen, compressed. */
const FIRST_SCREEN = 60_000;
/** Bytes of the worker, which is loaded after it, compressed. */
const WORKER = 280_000;
/** Bytes of the worker that draws products beyond what it shares with the other, compressed. */
const PRODUCTS = 10_000;
/** Bytes of the script for pages of shops, compressed. */
const EMBED = 3000;

const DECODE: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  "": (body) => body,
};

for (const page of ["editor", "console"] as const) {
  t.test(`the script of the first screen is small: ${page}`, async (t) => {
    const { files, [page]: loaded } = await editorBundle();
    const sizes = [loaded.script, loaded.styles].map((name) => {
      const { gzip = [], brotli = [] } = files.get(name) ?? {};
      t.comment(`${name}: ${gzip.length} bytes by gzip, ${brotli.length} by brotli`);
      return gzip.length;
    });
    t.ok(sizes.reduce((sum, size) => sum + size) <= FIRST_SCREEN);
  });
}

t.test("the engine's worker is not much larger than gpu.js", async (t) => {
  const { files } = await editorBundle();
  const named = (start: string) => [...files].filter(([name]) => name.startsWith(start));
  // The second worker loads what both have in common from the browser's cache.
  const [worker, products, common] = [named("worker-"), named("mockups-"), named("chunk-")];
  for (const [name, { gzip, brotli }] of [...worker, ...products, ...common]) {
    t.comment(`${name}: ${gzip.length} bytes by gzip, ${brotli.length} by brotli`);
  }
  const sizeOf = (files: typeof worker) =>
    files.reduce((sum, [, { gzip }]) => sum + gzip.length, 0);
  t.ok(sizeOf([...worker, ...common]) <= WORKER);
  t.ok(sizeOf(products) <= PRODUCTS, "what draws products is loaded for them only");
});

t.test("the script for shops is tiny, and served by one name", async (t) => {
  const { embed } = await editorBundle();
  t.comment(`embed.js: ${embed.gzip.length} bytes by gzip, ${embed.brotli.length} by brotli`);
  t.ok(embed.gzip.length <= EMBED);
  const { url } = await testServer(t);
  const response = await fetch(`${url}/embed.js`);
  t.match(response.headers.get("Content-Type"), "text/javascript");
  t.equal(response.headers.get("Cache-Control"), "public, max-age=3600");
  t.equal(await response.text(), Buffer.from(embed.bytes).toString());
});

t.test("files are compressed and cached for good, pages are not cached", async (t) => {
  const { url } = await testServer(t);
  for (const path of ["/editor", "/"]) await checkPage(t, `${url}${path}`);
  t.equal((await fetch(`${url}/editor/files/main.js`)).status, 404);
});

async function checkPage(t: Test, url: string): Promise<void> {
  const page = await fetch(url, { headers: { Accept: "text/html" } });
  t.match(page.headers.get("Content-Security-Policy"), "script-src 'self' 'wasm-unsafe-eval';");
  t.equal(page.headers.get("Cache-Control"), "no-cache");
  const html = await page.text();
  const links = [...html.matchAll(/"(\/editor\/files\/[^"]+)"/g)].map(([, path]) => path);
  t.equal(links.length, 2);
  for (const link of links) {
    const bodies = new Set<string>();
    for (const encoding of Object.keys(DECODE)) {
      // Not `fetch`, which decodes the body.
      const request = get(new URL(link, url), { headers: { "Accept-Encoding": encoding } });
      const response: IncomingMessage = (await once(request, "response"))[0];
      t.equal(response.headers["content-encoding"], encoding || undefined);
      t.equal(response.headers["cache-control"], "public, max-age=31536000, immutable");
      bodies.add(DECODE[encoding](await buffer(response)).toString());
    }
    t.equal(bodies.size, 1, `${link} is the same in every encoding`);
  }
}
