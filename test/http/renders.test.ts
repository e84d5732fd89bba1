import { createHash } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import t from "tap";
import { createEngine, type Engine } from "../../engine/index.ts";
import { formatFacts } from "../../engine/recipe/index.ts";
import { testEngine } from "../helpers/engine.ts";
import { rasterOf } from "../helpers/pictures.ts";
import { etagOf, testServer } from "../helpers/server.ts";
import { readTiff } from "../helpers/tiff.ts";

t.test("renders a tile with length, digest, timings and strain", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern({ group: "p6m", name: "Café/Blüte" });
  const json = { size: 64, format: "png" };
  const { status, headers, bytes } = await server.request("POST", `/patterns/${id}/render`, {
    json,
  });
  t.equal(status, 200);
  const { width, height } = rasterOf(bytes);
  t.same([width, height], [64, 64]);
  t.equal(headers.get("Content-Type"), "image/png");
  t.equal(headers.get("Content-Length"), String(bytes.length));
  t.equal(headers.get("X-Content-Type-Options"), "nosniff");
  const digest = createHash("sha256").update(bytes).digest("base64");
  t.equal(headers.get("Repr-Digest"), `sha-256=:${digest}:`);
  t.match(
    headers.get("Content-Disposition"),
    "inline; filename=\"Cafe Blute-p6m-64.png\"; filename*=UTF-8''Caf%C3%A9%20Bl%C3%BCte-p6m-64.png",
  );
  const timing = headers.get("Server-Timing");
  for (const step of ["queue", "sample", "effects", "encode"]) {
    t.match(timing, new RegExp(`\\b${step};dur=\\d+(\\.\\d+)?`));
  }
  t.match(timing, `backend;desc="${server.engine.backend}"`);
  t.ok(Math.abs(Number(headers.get("X-Orbifold-Strain")) - 0.0104) < 0.0001, "7 × 4 cells: 1.04 %");
});

t.test("a tile can have the true shape of its cell", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern({ group: "p6m" });
  const path = `/patterns/${id}/render?size=256&dpi=254`;
  const square = await server.request("GET", path);
  t.equal(square.headers.get("X-Orbifold-Size-Mm"), "25.6x25.6");
  t.equal(square.headers.get("X-Orbifold-Repeat-Mm"), "3.657x6.4", "7 × 4 periods");
  t.equal(square.headers.get("X-Orbifold-True-Shape"), "148x256");
  const cell = await server.request("GET", `${path}&tile=cell`);
  const { width, height } = rasterOf(cell.bytes);
  t.same([width, height], [148, 256]);
  t.equal(cell.headers.get("X-Orbifold-Size-Mm"), "14.8x25.6");
  t.equal(cell.headers.get("X-Orbifold-Repeat-Mm"), "14.8x25.6");
  t.equal(Number(cell.headers.get("X-Orbifold-Strain")).toFixed(4), "0.0013");
  t.match(cell.headers.get("Content-Disposition"), "148x256.png");
  t.not(cell.headers.get("ETag"), square.headers.get("ETag"));
  const head = await server.request("HEAD", `${path}&tile=cell`);
  t.equal(head.headers.get("X-Orbifold-Size-Mm"), "14.8x25.6");
  const sheet = await server.request("GET", `${path}&mode=aperiodic`);
  t.equal(sheet.headers.get("X-Orbifold-Repeat-Mm"), null);
  const link = await server.request("POST", `/patterns/${id}/render-url`, {
    json: { size: 256, dpi: 254, tile: "cell" },
  });
  t.match(link.json, {
    size_mm: { width: 14.8, height: 25.6 },
    repeat_mm: { width: 14.8, height: 25.6 },
    true_shape: { width: 148, height: 256 },
  });
  t.same(Buffer.from(await (await fetch(link.json.url)).arrayBuffer()), cell.bytes);
  const wrong = await server.request("GET", `${path}&tile=round`);
  t.equal(wrong.status, 422);
});

t.test("a surface has the requested size in every format", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const sheet = { mode: "surface", surface_width: 120, surface_height: 50, cell: 40 };
  const surface_effects = [{ id: "vignette", params: { strength: 0.6 } }];
  const path = `/patterns/${id}/render`;
  const png = await server.request("POST", path, { json: { ...sheet, surface_effects } });
  const { width, height } = rasterOf(png.bytes);
  t.same([width, height], [120, 50]);
  for (const [format, { mediaType }] of Object.entries(formatFacts)) {
    const { headers, bytes } = await server.request("POST", path, { json: { ...sheet, format } });
    t.equal(headers.get("Content-Type"), mediaType);
    const facts = await server.engine.inspect(bytes);
    t.match(facts, { mediaType, width: 120, height: 50 });
  }
});

t.test("a TIFF has the pixels of the PNG, its own ETag, and ignores quality", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const path = `/patterns/${id}/render?size=64`;
  const png = await server.request("GET", path);
  const tiff = await server.request("GET", `${path}&format=tiff`);
  t.ok(Buffer.from(readTiff(tiff.bytes).pixels).equals(rasterOf(png.bytes).pixels));
  t.match(tiff.headers.get("Content-Disposition"), /-64\.tif"/);
  const low = await server.request("HEAD", `${path}&format=tiff&quality=1`);
  t.equal(low.headers.get("ETag"), tiff.headers.get("ETag"));
});

t.test("rejects a format that cannot encode the picture before rendering", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const json = { size: 4097, format: "avif" };
  const reply = await server.request("POST", `/patterns/${id}/render`, { json });
  t.equal(reply.status, 422);
  t.match(reply.json.errors, [
    { path: "/format", expected: /^png, jpeg, webp, tiff\b.*, or at most 16777216/ },
  ]);
});

t.test("a query renders the same picture as a body", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const surface_effects = [{ id: "grain", params: { strength: 0.5 } }];
  const fields = {
    mode: "surface",
    surface_width: 64,
    surface_height: 48,
    cell: 20.5,
    rotation: 10,
  };
  const json = { ...fields, offset: { x: -3.5, y: 4 }, surface_effects };
  const posted = await server.request("POST", `/patterns/${id}/render`, { json });
  const query = new URLSearchParams({
    ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])),
    offset: "-3.5,4",
    surface_effects: JSON.stringify(surface_effects),
  });
  const linked = await server.request("GET", `/patterns/${id}/render?${query}`);
  t.equal(linked.status, 200);
  t.ok(linked.bytes.equals(posted.bytes));
  t.equal(linked.headers.get("ETag"), posted.headers.get("ETag"));
});

t.test("responds 304 to a matching If-None-Match of a render", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const path = `/patterns/${id}/render?size=32`;
  const first = await server.request("GET", path);
  const tag = etagOf(first);
  t.match(first.headers.get("Cache-Control"), "private");
  const garbage = { "If-None-Match": `${tag.slice(1)};;"`, Range: "bytes=potato" };
  const other = await server.request("GET", path, { headers: garbage });
  t.equal(other.status, 200, "headers that mean nothing are left alone");
  t.ok(other.bytes.equals(first.bytes));

  server.breakRenders("broken");
  const another = await server.request("GET", path.replace("32", "33"));
  t.equal(another.status, 500, "nothing can be rendered any more");
  const kept = await server.request("GET", path);
  t.ok(kept.bytes.equals(first.bytes), "the picture is cached");
  t.match(kept.headers.get("Server-Timing"), /^cache;desc="hit", backend;desc="\w+"$/);
  for (const name of ["ETag", "Repr-Digest", "X-Orbifold-Strain", "Content-Disposition"]) {
    t.equal(kept.headers.get(name), first.headers.get(name), name);
  }
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
    const reply = await server.request("GET", path, { headers: { "If-None-Match": known } });
    t.equal(reply.status, 304, known);
    t.equal(reply.headers.get("ETag"), tag);
    t.equal(reply.bytes.length, 0);
  }
});

t.test("the ETag depends on the pattern and the effective fields only", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const tagFor = async (query: string) =>
    (await server.request("HEAD", `/patterns/${id}/render?${query}`)).headers.get("ETag");
  const tag = await tagFor("size=32");
  t.equal(await tagFor("size=32&quality=50&format=png"), tag, "a PNG has no quality");
  t.not(await tagFor("size=32&quality=50&format=jpeg"), await tagFor("size=32&format=jpeg"));
  t.not(await tagFor("size=33"), tag);
  t.equal(await tagFor("size=32&hex_cells=2x1"), tag, "p4 has no hexagonal cells");
  const sheet = "mode=surface&surface_width=40&surface_height=30&size=32";
  const effects = (params: object) =>
    `&surface_effects=${encodeURIComponent(JSON.stringify([{ id: "vignette", ...params }]))}`;
  const sheetTag = await tagFor(sheet + effects({}));
  for (const spelled of ["&cell=32", "&rotation=360", "&rotation=-360", "&offset=0,0"]) {
    t.equal(await tagFor(sheet + spelled + effects({})), sheetTag, spelled);
  }
  t.equal(await tagFor(sheet + effects({ params: { strength: 0.5 } })), sheetTag);
  t.not(await tagFor(sheet + effects({ params: { strength: 0.6 } })), sheetTag);
  t.not(await tagFor(`${sheet}&cell=33${effects({})}`), sheetTag);
  await server.request("PATCH", `/patterns/${id}`, { json: { name: "other name" } });
  t.equal(await tagFor("size=32"), tag, "a name changes no pixel");
  await server.request("PATCH", `/patterns/${id}`, { json: { motif: { x: 0.4 } } });
  t.not(await tagFor("size=32"), tag);
});

t.test("HEAD returns the headers of GET", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const path = `/patterns/${id}/render?size=48&format=webp`;
  const head = await server.request("HEAD", path);
  const full = await server.request("GET", path);
  t.equal(head.status, 200);
  t.equal(head.bytes.length, 0);
  const names = ["ETag", "Content-Type", "Content-Disposition", "Cache-Control"];
  for (const name of [...names, "Content-Length", "Repr-Digest", "X-Orbifold-Strain"]) {
    t.ok(head.headers.has(name), name);
    t.equal(head.headers.get(name), full.headers.get(name), name);
  }
  const large = `/patterns/${id}/render?mode=surface&surface_width=20000&surface_height=20000`;
  const unmade = await fetch(`${server.url}/api/v1${large}`, {
    method: "HEAD",
    headers: { "X-API-Key": server.key },
  });
  t.equal(unmade.status, 200);
  t.ok(unmade.headers.has("ETag"));
  t.notOk(unmade.headers.has("Server-Timing"), "HEAD does not render a large sheet");
  t.equal((await server.request("HEAD", "/patterns/999/render")).status, 404);
  t.equal((await server.request("HEAD", `/patterns/${id}/render?size=1`)).status, 422);
});

t.test("a large picture is chunked, with timings in a trailer", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern({ group: "p1" });
  const json = { mode: "surface", surface_width: 4500, surface_height: 4000, cell: 100 };
  const sent = httpRequest(`${server.url}/api/v1/patterns/${id}/render`, {
    method: "POST",
    headers: { "X-API-Key": server.key, "Content-Type": "application/json" },
  });
  sent.end(JSON.stringify(json));
  const [response] = await once(sent, "response");
  t.equal(response.statusCode, 200);
  t.equal(response.headers["transfer-encoding"], "chunked");
  t.equal(response.headers.trailer, "Server-Timing");
  const { width, height } = rasterOf(Buffer.concat(await response.toArray()));
  t.same([width, height], [4500, 4000]);
  t.match(response.trailers["server-timing"], /sample;dur=[\d.]+.*backend;desc=/);
});

t.test("disconnecting cancels the render", async (t) => {
  const engine = await createEngine({ backend: "webasm", threads: 1, queueMax: 8 });
  t.teardown(() => engine.close(0));
  const server = await testServer(t, { engine });
  const id = await server.makePattern({ group: "p1" });
  const path = `${server.url}/api/v1/patterns/${id}/render`;
  const sheet = "mode=surface&surface_width=20000&surface_height=20000&rotation=1";
  const leaving = new AbortController();
  const headers = { "X-API-Key": server.key };
  const large = await fetch(`${path}?${sheet}`, { headers, signal: leaving.signal });
  t.equal(large.status, 200);
  leaving.abort();
  // The only thread is free again: otherwise this would wait for 400 megapixels.
  const small = await server.request("GET", `/patterns/${id}/render?size=16`);
  t.equal(small.status, 200);
  const [entry] = server.log.filter(({ aborted }) => aborted);
  t.match(entry, { method: "GET", status: 200 });
  t.equal(entry.error, undefined, "and leaving is no fault of the server");
});

t.test("an error during a stream closes the connection and is logged", async (t) => {
  const whole = await createEngine({ backend: "webasm", threads: 1, queueMax: 8 });
  t.teardown(() => whole.close(0));
  async function* failingBody() {
    yield new Uint8Array(1000);
    throw new Error("out of ink");
  }
  const renderStream: Engine["renderStream"] = async (...request) => {
    const rendering = await whole.renderStream(...request);
    await rendering.body[Symbol.asyncIterator]().return?.();
    return { ...rendering, body: failingBody() };
  };
  const server = await testServer(t, { engine: { ...whole, renderStream } });
  const id = await server.makePattern();
  // More than is collected before it is sent.
  const url = `${server.url}/api/v1/patterns/${id}/render?size=4097`;
  const cut = await fetch(url, { headers: { "X-API-Key": server.key } });
  await t.rejects(cut.arrayBuffer(), "the client cannot take it for the whole");
  t.match(server.log.at(-1), { status: 200, aborted: true, error: { message: /out of ink/ } });
});

t.test("a render that times out frees its thread", async (t) => {
  const engine = await testEngine(t);
  const server = await testServer(t, { engine, services: { renderTimeoutMs: 1000 } });
  const id = await server.makePattern({ effects: [{ id: "blur", params: { radius: 0.05 } }] });
  const slow = { size: 4000, format: "avif", quality: 100 };
  const late = await server.request("POST", `/patterns/${id}/render`, { json: slow });
  t.match(late.json, { status: 504, code: "render_timeout", detail: /1 seconds/ });
  t.ok(late.headers.get("Retry-After"));
  const quick = async () =>
    (await server.request("POST", `/patterns/${id}/render`, { json: { size: 16 } })).status;
  let status = await quick();
  for (let tries = 0; status === 504 && tries < 60; tries++) status = await quick();
  t.equal(status, 200);
});
