/** Print files: ordered, made in the background, downloaded whole and in ranges. */
import { createHash } from "node:crypto";
import sharp from "sharp";
import t from "tap";
import { finishedExport, orderExport } from "../helpers/exports.ts";
import { until } from "../helpers/jobs.ts";
import { type RequestOptions, type TestServer, testServer } from "../helpers/server.ts";

const SMALL = { width_mm: 30, height_mm: 20, dpi: 100, format: "png" };

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

const order = (server: TestServer, patternId: number, json: object = SMALL) =>
  orderExport(server, patternId, json);

t.test("an export is created, reports progress, and is downloaded", async (t) => {
  const server = await testServer(t, { takesJobs: true });
  const pattern = await server.makePattern({ name: "Käte: tiles?" });
  const reply = await server.request("POST", `/patterns/${pattern}/export`, { json: SMALL });
  t.equal(reply.status, 202);
  const { export_id, status } = reply.json;
  t.equal(status, "queued");
  t.equal(reply.headers.get("Location"), `${server.url}/api/v1/exports/${export_id}`);
  const done = await finishedExport(server, export_id);
  t.match(done, {
    id: export_id,
    pattern_id: pattern,
    status: "done",
    progress: 100,
    error: null,
    request: { ...SMALL, bleed_mm: 0 },
    symmetry: { verdict: "valid" },
    file: { url: `${server.url}/api/v1/exports/${export_id}/file`, media_type: "image/png" },
  });
  t.equal(Date.parse(done.expires_at) - Date.parse(done.finished_at), 7 * 86_400_000);
  const file = await server.request("GET", `/exports/${export_id}/file`);
  t.equal(file.status, 200);
  t.equal(file.headers.get("Content-Type"), "image/png");
  t.equal(file.headers.get("Content-Length"), String(done.file.bytes));
  t.equal(sha256(file.bytes), done.file.sha256);
  const digest = Buffer.from(done.file.sha256, "hex").toString("base64");
  t.equal(file.headers.get("Repr-Digest"), `sha-256=:${digest}:`);
  t.match(file.headers.get("Content-Disposition"), /30x20mm\.png/);
  const { width, height, density, hasProfile } = await sharp(file.bytes).metadata();
  t.match({ width, height, density, hasProfile }, { width: 118, height: 79, hasProfile: true });
  t.ok(Math.abs((density ?? 0) - 100) < 0.5);
  t.match((await server.request("GET", "/exports")).json, { data: [{ id: export_id }] });
  const ofOther = await server.request("GET", `/exports?pattern_id=${pattern + 1}`);
  t.same(ofOther.json.data, []);
});

t.test("an interrupted download resumes", async (t) => {
  const server = await testServer(t, { takesJobs: true });
  // Noise, so that the file has several chunks in the database.
  const pattern = await server.makePattern({ motif: { scale: 0.2 } });
  const id = await order(server, pattern, {
    width_mm: 300,
    height_mm: 200,
    dpi: 100,
    format: "tiff",
    surface_effects: [{ id: "grain", params: { strength: 0.5 } }],
  });
  const { file } = await finishedExport(server, id);
  t.ok(file.bytes > 2 * 1024 * 1024, `${file.bytes} bytes are several pieces`);
  const path = `/exports/${id}/file`;
  const whole = await server.request("GET", path);
  t.equal(sha256(whole.bytes), file.sha256);
  t.match(await sharp(whole.bytes).metadata(), { width: 1181, height: 787, format: "tiff" });
  const ETag = whole.headers.get("ETag") ?? "";
  const MIB = 1024 * 1024;
  for (const [start, end] of [
    [0, 0],
    [MIB - 1, MIB],
    [MIB, 2 * MIB - 1],
    [MIB - 5, 2 * MIB + 5],
    [file.bytes - 3, file.bytes - 1],
  ] as const) {
    const headers = { Range: `bytes=${start}-${end}`, "If-Range": ETag };
    const part = await server.request("GET", path, { headers });
    t.equal(part.status, 206);
    t.equal(part.headers.get("Content-Range"), `bytes ${start}-${end}/${file.bytes}`);
    t.equal(part.headers.get("Content-Length"), String(end + 1 - start));
    t.ok(part.bytes.equals(whole.bytes.subarray(start, end + 1)), `${start} to ${end}`);
  }
  const head = await server.request("HEAD", path);
  t.equal(head.headers.get("Content-Length"), String(file.bytes));
  t.equal(head.headers.get("ETag"), ETag);
  t.equal(head.headers.get("Accept-Ranges"), "bytes");
  const known = await server.request("GET", path, { headers: { "If-None-Match": ETag } });
  t.equal(known.status, 304);
  const beyond = await server.request("GET", path, { headers: { Range: `bytes=${file.bytes}-` } });
  t.match(beyond.json, { status: 416, code: "range_not_satisfiable" });
});

t.test(
  "a file is not found before it is done; the preflight report is available at once",
  async (t) => {
    const server = await testServer(t);
    const id = await order(server, await server.makePattern(), {
      ...SMALL,
      width_mm: 1000,
      height_mm: 700,
    });
    const found = await server.request("GET", `/exports/${id}`);
    t.match(found.json, { status: "queued", progress: 0, file: null, symmetry: null });
    t.equal(found.headers.get("Retry-After"), "2");
    const codes = found.json.preflight.warnings.map(({ code }: { code: string }) => code);
    t.ok(codes.includes("source_too_small"), String(codes));
    for (const method of ["GET", "HEAD"]) {
      const early = await server.request(method, `/exports/${id}/file`);
      t.equal(early.status, 409);
      t.equal(early.headers.get("Retry-After"), "2");
    }
    t.equal((await server.request("DELETE", `/exports/${id}`)).status, 204);
    t.equal((await server.request("GET", `/exports/${id}`)).status, 404);
    t.equal((await server.request("DELETE", `/exports/${id}`)).status, 404);
  },
);

t.test("an export shows the pattern as it was when it was created", async (t) => {
  const server = await testServer(t);
  const source_id = await server.makeSource();
  const json = { source_id, group: "p4" };
  const { id } = (await server.request("POST", "/patterns", { json })).json;
  const before = await order(server, id);
  await server.request("PATCH", `/patterns/${id}`, { json: { group: "p6m" } });
  const after = await order(server, id);
  t.match(await server.db.exports.get(server.account.id, before), { design: { group: "p4" } });
  t.match(await server.db.exports.get(server.account.id, after), { design: { group: "p6m" } });
});

t.test("an export whose source was deleted fails with the reason", async (t) => {
  const server = await testServer(t, { takesJobs: true });
  const pattern = await server.makePattern();
  const ordered = await server.db.exports.create(
    server.account.id,
    {
      pattern_id: pattern,
      design: {},
      source_sha256: createHash("sha256").update("nobody has this").digest("hex"),
      fields: (await server.db.exports.get(server.account.id, await order(server, pattern)))
        ?.fields,
      preflight: {},
      media_type: "image/png",
    },
    { estimatedBytes: 1000, unfinishedAtMost: 20 },
  );
  const id = ordered?.id ?? 0;
  await until(
    async () => (await server.db.exports.get(server.account.id, id))?.status === "failed",
  );
  t.match(await server.db.exports.get(server.account.id, id), {
    error: /deleted before the export was made/,
  });
  const refused = await server.request("GET", `/exports/${id}/file`);
  t.match(refused.json, { status: 409, detail: /has failed: .*deleted/ });
  t.equal(refused.headers.get("Retry-After"), null, "asking again is of no use");
});

t.test("rejects invalid exports with what was expected", async (t) => {
  const server = await testServer(t);
  const pattern = await server.makePattern();
  const post = (json: unknown, options: RequestOptions = {}) =>
    server.request("POST", `/patterns/${pattern}/export`, { json, ...options });
  for (const [wrong, path] of [
    [{ ...SMALL, width_mm: 0 }, "/width_mm"],
    [{ ...SMALL, width_mm: undefined }, "/width_mm"],
    [{ ...SMALL, dpi: 1e9 }, "/dpi"],
    [{ ...SMALL, format: "gif" }, "/format"],
    [{ ...SMALL, bleed_mm: -1 }, "/bleed_mm"],
    [{ ...SMALL, crop_marks: true }, "/crop_marks"],
    [{ ...SMALL, surface_effects: [{ id: "nothing" }] }, "/surface_effects/0/id"],
    [{ ...SMALL, size: 300 }, "/size"],
  ] as const) {
    const reply = await post(wrong);
    t.match(reply.json, { status: 422, code: "validation_failed" }, path);
    t.ok(
      reply.json.errors.some((error: { path: string }) => error.path === path),
      `${path} in ${JSON.stringify(reply.json.errors)}`,
    );
  }
  const huge = await post({ width_mm: 5000, height_mm: 5000, dpi: 300, format: "png" });
  t.match(huge.json, { status: 422 });
  t.match(huge.json.detail, /59055/, "it says how many pixels that would be");
  const stranger = await server.makeCaller({});
  t.equal((await post(SMALL, { as: stranger })).status, 404);
  const id = await order(server, pattern);
  for (const [method, path] of [
    ["GET", ""],
    ["GET", "/file"],
    ["HEAD", "/file"],
    ["DELETE", ""],
  ] as const) {
    const reply = await server.request(method, `/exports/${id}${path}`, { as: stranger });
    t.equal(reply.status, 404);
  }
  for (let count = 1; count < 20; count++) await order(server, pattern);
  t.match((await post(SMALL)).json, { status: 409, detail: /20 exports/ });
});
