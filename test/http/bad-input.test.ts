import { crc32 } from "node:zlib";
import t from "tap";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { testServer } from "../helpers/server.ts";

t.test("reports the issues of a body by path, at no cost", async (t) => {
  const server = await testServer(t);
  const json = {
    source_id: "1",
    group: 4,
    motif: { x: 2, y: null, zoom: 1 },
    lattice: { repeat: "diagonal" },
    seam: "soft",
    background: "red",
    name: "a\u0000b",
    palette: "sunset",
  };
  const refused = await server.request("POST", "/patterns", { json });
  t.equal(refused.status, 422);
  t.equal(refused.json.code, "validation_failed");
  const errors = new Map(refused.json.errors.map((error: { path: string }) => [error.path, error]));
  t.match(errors.get("/source_id"), { expected: /^an integer from 1/, received: '"1"' });
  t.match(errors.get("/group"), { expected: "a string", received: "4" });
  t.match(errors.get("/motif/x"), { expected: "a number from 0 to 1", received: "2" });
  t.match(errors.get("/motif/y"), { received: "null" });
  t.match(errors.get("/motif/zoom"), { expected: /x, y, scale, rotation/ });
  t.match(errors.get("/lattice/repeat"), { expected: "one of straight, half_drop, brick" });
  t.match(errors.get("/seam"), { expected: "an object", received: '"soft"' });
  t.match(errors.get("/background"), { expected: /#1a2b3c or null/, received: '"red"' });
  t.ok(errors.has("/name"));
  t.match(errors.get("/palette"), { expected: /arts_and_crafts.* or null/, received: '"sunset"' });
  t.equal(errors.size, 10);
  t.equal((await server.request("GET", "/account")).json.credits, server.account.credits);
});

t.test("reports the issues of a render before rendering", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const surface = { mode: "surface", surface_width: 100, surface_height: 100 };
  const cases: [object, string][] = [
    [{ size: 15 }, "/size"],
    [{ size: 8193 }, "/size"],
    [{ size: 100.5 }, "/size"],
    [{ size: "512" }, "/size"],
    [{ size: null }, "/size"],
    [{ mode: "fractal" }, "/mode"],
    [{ mode: "aperiodic", aperiodic: { kind: "penrose" } }, "/aperiodic/kind"],
    [{ mode: "aperiodic", aperiodic: { n: 14 } }, "/aperiodic/n"],
    [{ mode: "aperiodic", aperiodic: { outline_colour: "red" } }, "/aperiodic/outline_colour"],
    [{ mode: "aperiodic", surface_width: 20001 }, "/surface_width"],
    [{ format: "gif" }, "/format"],
    [{ dpi: 0 }, "/dpi"],
    [{ colour: "red" }, "/colour"],
    [{ mode: "surface", surface_width: 100 }, "/surface_height"],
    [{ ...surface, surface_width: 20001 }, "/surface_width"],
    [{ ...surface, offset: { x: 1e9 } }, "/offset/x"],
    [{ ...surface, surface_effects: {} }, "/surface_effects"],
    [{ ...surface, surface_effects: [{ id: "sparkle" }] }, "/surface_effects/0/id"],
    [{ ...surface, surface_effects: [{ params: {} }] }, "/surface_effects/0/id"],
    [
      { ...surface, surface_effects: [{ id: "vignette", params: { strength: "much" } }] },
      "/surface_effects/0/params/strength",
    ],
  ];
  for (const [json, path] of cases) {
    const refused = await server.request("POST", `/patterns/${id}/render`, { json });
    const what = JSON.stringify(json);
    t.equal(refused.status, 422, what);
    t.ok(
      refused.json.errors.some((error: { path: string }) => error.path === path),
      `${what} names ${path}`,
    );
  }
  const headers = { "Content-Type": "application/json" };
  const infinite = { body: '{"size":1e999}', headers };
  const refused = await server.request("POST", `/patterns/${id}/render`, infinite);
  t.match(refused.json.errors, [{ path: "/size", received: "Infinity" }]);
  const effect = { ...surface, surface_effects: [{ id: "sparkle" }] };
  const unknown = await server.request("POST", `/patterns/${id}/render`, { json: effect });
  t.match(
    unknown.json.errors[0].expected,
    /vignette/,
    "an unknown effect's issue lists the known ones",
  );
});

t.test("validates a query as strictly as a body", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  for (const [query, path] of [
    ["size=NaN", "/size"],
    ["size=Infinity", "/size"],
    ["size=", "/size"],
    ["size=0x40", "/size"],
    ["size=64&size=65", "/size"],
    ["size=1e999", "/size"],
    ["offset=1", "/offset"],
    ["offset=1,two", "/offset/y"],
    ["offset=1,2,3", "/offset"],
    ["surface_effects=[", "/surface_effects"],
    ["surface_effects=null", "/surface_effects"],
    ["sise=64", "/sise"],
    ["__proto__=1", "/__proto__"],
  ]) {
    const refused = await server.request("GET", `/patterns/${id}/render?${query}`);
    t.equal(refused.status, 422, query);
    t.equal(refused.json.errors[0].path, path, query);
  }
  for (const query of ["limit=0", "limit=101", "limit=ten", "cursor=!", "group=p5", "page=2"]) {
    t.equal((await server.request("GET", `/patterns?${query}`)).status, 422, query);
  }
});

t.test("a path with an invalid id is not found", async (t) => {
  const server = await testServer(t);
  const ids = "0 -1 1e99 1.5 abc 99999999999999999999 9007199254740991 %00 %E0%A4%A 1%20or%201=1";
  for (const id of ids.split(" ")) {
    for (const path of [`/patterns/${id}`, `/sources/${id}/image`, `/patterns/${id}/render`]) {
      const reply = await server.request("GET", path);
      t.equal(reply.status, 404, path);
      t.equal(reply.json.code, "not_found");
    }
  }
});

t.test("unknown paths and methods are problems, too", async (t) => {
  const server = await testServer(t);
  const path = await server.request("GET", "/patters");
  t.equal(path.status, 404);
  const method = await server.request("PUT", "/patterns");
  t.equal(method.status, 405);
  t.equal(method.json.code, "method_not_allowed");
  t.equal(method.headers.get("Allow"), "GET, HEAD, POST");
  t.equal((await server.request("OPTIONS", "/account")).headers.get("Allow"), "GET, HEAD, PATCH");
});

t.test("rejects a body that is not JSON, or has another type", async (t) => {
  const server = await testServer(t);
  const post = (body: string, type: string) =>
    server.request("POST", "/patterns", { body, headers: { "Content-Type": type } });
  for (const body of ["{", "hello", "{'a': 1}", '{"size": NaN}', "\u0000", '{"a":1}{"b":2}']) {
    const refused = await post(body, "application/json");
    t.equal(refused.status, 400, body);
    t.equal(refused.json.code, "malformed_json");
  }
  for (const body of ['"text"', "null", "[]", "5", "true"]) {
    t.equal((await post(body, "application/json; charset=utf-8")).status, 422, body);
  }
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "x",
  ]) {
    const refused = await post("{}", type);
    t.equal(refused.status, 415, type);
    t.equal(refused.json.code, "unsupported_media_type");
  }
  const proto = await post('{"__proto__": {"source_id": 1}}', "application/json");
  t.match(proto.json.errors, [
    { path: "/source_id", received: "nothing" },
    { path: "/group" },
    { path: "/__proto__", message: /^unknown field '__proto__'; expected one of source_id, / },
  ]);
});

t.test("rejects deeply nested JSON", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  const headers = { "Content-Type": "application/json" };
  for (const body of [
    deep,
    `{"size":${deep}}`,
    `{"mode":"surface","surface_width":32,"surface_height":32,"surface_effects":[{"id":"vignette","params":{"strength":${deep}}}]}`,
  ]) {
    const refused = await server.request("POST", `/patterns/${id}/render`, { body, headers });
    t.equal(refused.status, 400);
    t.equal(refused.json.code, "malformed_request");
  }
  const nested = `[{"id":"vignette","params":{"strength":${"[".repeat(4000)}${"]".repeat(4000)}}}]`;
  const query = `mode=surface&surface_width=32&surface_height=32&surface_effects=${nested}`;
  const refused = await server.request("GET", `/patterns/${id}/render?${query}`);
  t.match(refused.json.errors, [{ path: "/surface_effects", expected: /an array/ }]);
});

t.test("rejects an unreadable source", async (t) => {
  const server = await testServer(t);
  const whole = Buffer.from(pngOf(photograph(64, 64)));
  for (const [what, bytes] of [
    ["text", Buffer.from("this is no picture")],
    ["nothing", Buffer.alloc(0)],
    ["a PNG cut in half", whole.subarray(0, whole.length / 2)],
    ["a PNG's signature alone", whole.subarray(0, 8)],
    ["bytes by lot", Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 2654435761) >>> 24))],
  ] as const) {
    const body = new FormData();
    body.append("file", new Blob([Buffer.from(bytes)]), "picture.png");
    const refused = await server.request("POST", "/sources/upload", { body });
    t.equal(refused.status, 422, what);
    t.equal(refused.json.code, "source_unreadable", what);
  }
  t.same((await server.request("GET", "/sources")).json.data, []);
});

t.test("rejects a small file with enormous dimensions without decoding it", async (t) => {
  const server = await testServer(t);
  const png = Buffer.from(pngOf(photograph(16, 16)));
  png.writeUInt32BE(60_000, 16);
  png.writeUInt32BE(60_000, 20);
  // The checksum of the header, so that only the size is wrong.
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  const json = { data: png.toString("base64") };
  const refused = await server.request("POST", "/sources/upload", { json });
  t.equal(refused.status, 413);
  t.equal(refused.json.code, "payload_too_large");
  t.match(refused.json.detail, /60000 × 60000/);
});

t.test("internal errors hide their details, which are logged", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  server.breakRenders("deep inside");
  const reply = await server.request("GET", `/patterns/${id}/render`);
  t.equal(reply.status, 500);
  t.equal(reply.json.code, "internal");
  t.notMatch(reply.bytes.toString(), /deep inside|\.ts|node_modules/);
  const entry = server.log.find(({ request_id }) => request_id === reply.json.request_id);
  const path = `/api/v1/patterns/${id}/render`;
  const account_id = server.account.id;
  const level = "error";
  t.match(entry, { level, status: 500, method: "GET", path, account_id, problem: "internal" });
  t.match(entry?.error.stack, /deep inside\n.*\.ts:\d+/, "with the stack");
});

t.test("reports invalid seam fields in creations and updates", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const source_id = await server.makeSource();
  const seam = { method: "glue", width: "wide", preserve_contrast: 1 };
  for (const refused of [
    await server.request("POST", "/patterns", { json: { source_id, group: "p4", seam } }),
    await server.request("PATCH", `/patterns/${id}`, { json: { seam } }),
  ]) {
    t.match(refused.json.errors, [
      { path: "/seam/method", expected: "one of blend, cut, fold, average", received: '"glue"' },
      { path: "/seam/width", expected: /^a number from /, received: '"wide"' },
      { path: "/seam/preserve_contrast", expected: "true or false", received: "1" },
    ]);
  }
});
