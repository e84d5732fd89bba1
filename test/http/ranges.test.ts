import t from "tap";
import { testServer } from "../helpers/server.ts";

t.test("serves ranges of a picture", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const source = (await server.request("GET", "/sources")).json.data[0].id;
  for (const path of [`/patterns/${id}/render?size=32`, `/sources/${source}/image`]) {
    const whole = await server.request("GET", path);
    const { length } = whole.bytes;
    const tag = whole.headers.get("ETag");
    t.equal(whole.headers.get("Accept-Ranges"), "bytes");
    const ask = (range: string, headers = {}) =>
      server.request("GET", path, { headers: { Range: range, ...headers } });

    for (const [range, start, end] of [
      ["bytes=0-0", 0, 0],
      ["bytes=10-99", 10, 99],
      ["bytes=100-", 100, length - 1],
      ["bytes=-7", length - 7, length - 1],
      [`bytes=5-${length + 1000}`, 5, length - 1],
      ["bytes=10-19,20-29", 10, 29],
    ] as const) {
      const part = await ask(range);
      t.equal(part.status, 206, range);
      t.equal(part.headers.get("Content-Range"), `bytes ${start}-${end}/${length}`);
      t.equal(part.headers.get("Content-Length"), String(end - start + 1));
      t.equal(part.headers.get("ETag"), tag);
      t.ok(part.bytes.equals(whole.bytes.subarray(start, end + 1)));
    }
    for (const range of ["bytes=0-1,50-51", "lines=1-2", "bytes=potato", "bytes 1-2"]) {
      const all = await ask(range);
      t.equal(all.status, 200, range);
      t.ok(all.bytes.equals(whole.bytes));
    }
    const beyond = await ask(`bytes=${length}-`);
    t.match(beyond.json, { status: 416, code: "range_not_satisfiable" });
    t.equal(beyond.headers.get("Content-Range"), `bytes */${length}`);
    for (const name of ["ETag", "Content-Disposition", "Repr-Digest"]) {
      t.equal(beyond.headers.get(name), null, `${name} is the picture's`);
    }
    t.equal(beyond.headers.get("Cache-Control"), "no-store", "as for every problem");

    t.equal((await ask("bytes=0-9", { "If-Range": tag })).status, 206);
    for (const other of ['"another"', `W/${tag}`, "Sat, 21 Nov 2026 00:00:00 GMT"]) {
      t.equal((await ask("bytes=0-9", { "If-Range": other })).status, 200);
    }
    t.equal((await ask("bytes=0-9", { "If-None-Match": tag })).status, 304);
    const head = await server.request("HEAD", path, { headers: { Range: "bytes=0-9" } });
    t.equal(head.status, 200);
    t.equal(head.headers.get("Content-Length"), String(length));
  }
});
