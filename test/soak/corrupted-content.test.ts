/** Damaged data is never served: it is made anew, or the response reports it. */
import { createHash } from "node:crypto";
import { chmod, chown, open, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import sharp from "sharp";
import t, { type Test } from "tap";
import { openSession } from "../../db/connection/pool.ts";
import { chooseRunAs } from "../../db/embedded/run-as.ts";
import { CHUNK_BYTES, openDatabase } from "../../db/index.ts";
import { createAccount } from "../../server/actions/accounts.ts";
import { createApiKey } from "../../server/actions/api-keys.ts";
import { testDatabaseUrl } from "../helpers/database.ts";
import { until } from "../helpers/jobs.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { filesIn, MIB } from "../helpers/render-cache.ts";
import { dataFolder, startService } from "../helpers/service.ts";
import { smallDisk } from "../helpers/small-disk.ts";

/** A service as a separate process, with access to its tables and files. */
async function start(t: Test) {
  const databaseUrl = await testDatabaseUrl();
  const db = await openDatabase({ url: databaseUrl, dataDir: "" });
  const account = await createAccount(db, { email: "a@example.com", plan: "pro", credits: 100 });
  const { secret } = await createApiKey(db, account.id, "test");
  const session = await openSession(databaseUrl);
  t.teardown(async () => {
    await session.end();
    await db.close();
  });
  const dataDir = await dataFolder(t);
  const service = await startService(t, {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    // So small that a picture of 8 MiB is not kept in memory.
    CACHE_MAX_BYTES: String(60 * MIB),
  });
  const url = await service.url();
  const ask = (method: string, path: string, json?: object, headers: object = {}) =>
    fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        "X-API-Key": secret,
        ...(json && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(json && { body: JSON.stringify(json) }),
    });
  const make = async (path: string, json: object) => {
    const response = await ask("POST", path, json);
    if (!response.ok) throw new Error(await response.text());
    return await response.json();
  };
  const upload = async (bytes: Buffer) =>
    make("/sources/upload", { data: bytes.toString("base64") });
  /** Flips a bit of a bytes column, in the rows that match a condition. */
  const flip = async (table: string, column: string, at: number, where = "true") => {
    const { rowCount } = await session.query(`
      update ${table} set ${column} = set_byte(${column}, ${at}, get_byte(${column}, ${at}) # 4)
      where ${where}`);
    if (rowCount !== 1) throw new Error(`${rowCount} rows of ${table} were changed`);
  };
  /** Waits for an export or a mockup. Requests would meet the rate limit. */
  const hasEnded = (table: string, id: number) =>
    until(async () => {
      const { rows } = await session.query(`select status from ${table} where id = ${id}`);
      return rows[0].status === "done" || rows[0].status === "failed";
    });
  const isCorrupted = async (t: Test, response: Response, what: RegExp) => {
    t.equal(response.status, 500);
    t.match(response.headers.get("Content-Type"), "application/problem+json");
    t.match(await response.json(), { code: "content_corrupted", detail: what });
  };
  return {
    ...service,
    db,
    account,
    session,
    dataDir,
    ask,
    make,
    upload,
    flip,
    hasEnded,
    isCorrupted,
  };
}

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

t.test("damaged pictures, sources, exports, mockups and responses", async (t) => {
  const service = await start(t);
  const { db, account, lines, dataDir, ask, make, upload, flip, hasEnded, isCorrupted } = service;
  const picture = Buffer.from(pngOf(photograph(96, 64)));
  const source = await upload(picture);
  const pattern = await make("/patterns", { source_id: source.id, group: "p4" });

  await t.test(
    "a damaged cached picture is rendered again, or its connection closed",
    async (t) => {
      const grain = [{ id: "grain", params: { strength: 1 } }];
      const sheet = { mode: "surface", surface_width: 2000, surface_height: 2000 };
      const render = (headers?: object) =>
        ask(
          "POST",
          `/patterns/${pattern.id}/render`,
          { ...sheet, surface_effects: grain },
          headers,
        );
      const right = await bytesOf(await render());
      t.ok(right.length > 8 * MIB, `${right.length} bytes`);
      const folder = join(dataDir, "cache", "renders");
      const damage = async (at: number) => {
        const isKept = async () => {
          const files = await filesIn(folder);
          return files.length === 1 && files.every((file) => !file.includes("drafts"));
        };
        await until(isKept);
        const [file = ""] = await filesIn(folder);
        await using handle = await open(file, "r+");
        const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at);
        await handle.write(Buffer.of((buffer[0] ?? 0) ^ 4), 0, 1, at);
      };
      await damage(100);
      const before = await render();
      t.equal(before.status, 200);
      t.ok(
        (await bytesOf(before)).equals(right),
        "a picture damaged at its start is rendered again",
      );
      await damage(5 * MIB);
      const cut = await render();
      t.equal(cut.status, 200);
      await t.rejects(bytesOf(cut), "damaged further on it breaks off");
      t.ok((await bytesOf(await render())).equals(right), "and is then rendered again");
      await until(() => lines.some((line) => /UnreadableEntry/.test(line)));
    },
  );

  await t.test("a damaged source is not used, and repaired by uploading it again", async (t) => {
    const other = Buffer.from(pngOf(photograph(90, 70)));
    const sha256 = createHash("sha256").update(other).digest("hex");
    const origin = { kind: "upload", preset: null, seed: null, url: null } as const;
    const facts = { media_type: "image/png", width: 90, height: 70, has_alpha: false, sha256 };
    // As another process does: of an upload to this one the bytes would be in its memory.
    const { id } = await db.sources.create(account.id, { ...origin, ...facts }, other, 0);
    const { id: made } = await make("/patterns", { source_id: id, group: "p4" });
    await flip("source_bytes", "bytes", 200, `sha256 = decode('${sha256}', 'hex')`);
    const image = () => ask("GET", `/sources/${id}/image`);
    await isCorrupted(t, await image(), /upload it again/);
    await isCorrupted(t, await ask("POST", `/patterns/${made}/render`, {}), /upload it again/);
    const { export_id } = await make(`/patterns/${made}/export`, { width_mm: 30, height_mm: 20 });
    const exported = async () => (await ask("GET", `/exports/${export_id}`)).json();
    await hasEnded("exports", export_id);
    t.match(await exported(), { status: "failed", error: /corrupted/ });
    const ordered = await make(`/patterns/${made}/mockups`, { products: ["mug"] });
    const mockups = async () => (await ask("GET", `/patterns/${made}/mockups`)).json();
    await hasEnded("mockups", ordered.data[0].id);
    t.match(await mockups(), { data: [{ status: "failed", error: /corrupted/ }] });
    await upload(other);
    t.ok((await bytesOf(await image())).equals(other));
    t.equal((await ask("POST", `/patterns/${made}/render`, { size: 64 })).status, 200);
  });

  await t.test("a damaged export fails, at its start or in the requested range", async (t) => {
    const { export_id: id } = await make(`/patterns/${pattern.id}/export`, {
      width_mm: 300,
      height_mm: 200,
      dpi: 100,
      format: "tiff",
      surface_effects: [{ id: "grain", params: { strength: 0.5 } }],
    });
    await hasEnded("exports", id);
    const file = (headers?: object) => ask("GET", `/exports/${id}/file`, undefined, headers);
    const right = await bytesOf(await file());
    t.equal((await sharp(right).metadata()).format, "tiff");
    await flip("export_chunks", "content", 5000, `export_id = ${id} and number = 1`);
    await t.rejects(
      async () => bytesOf(await file()),
      "the first chunk is right, then it breaks off",
    );
    const first = await file({ Range: `bytes=0-${CHUNK_BYTES - 1}` });
    t.ok((await bytesOf(first)).equals(right.subarray(0, CHUNK_BYTES)));
    await isCorrupted(t, await file({ Range: `bytes=${CHUNK_BYTES}-` }), /export .*order it again/);
    await flip("export_chunks", "content", 5000, `export_id = ${id} and number = 0`);
    await isCorrupted(t, await file(), /export .*order it again/);
    t.equal((await ask("HEAD", `/exports/${id}/file`)).status, 200);
  });

  await t.test("a damaged mockup fails", async (t) => {
    const { data } = await make(`/patterns/${pattern.id}/mockups`, { products: ["mug"] });
    const image = () => ask("GET", `/mockups/${data[0].id}/image`);
    await hasEnded("mockups", data[0].id);
    await flip("mockups", "image", 5000, `id = ${data[0].id}`);
    await isCorrupted(t, await image(), /mockup .*order it again/);
  });

  await t.test("a damaged response under an Idempotency-Key fails", async (t) => {
    const send = () =>
      ask("POST", "/patterns", { source_id: source.id, group: "p1" }, { "Idempotency-Key": "k" });
    t.equal((await send()).status, 201);
    await flip("idempotent_calls", "answer", 40);
    await isCorrupted(t, await send(), /Idempotency-Key/);
  });
});

/** Runs `work` with a table on a full disk; skips the test if this user may not mount one. */
async function withFullDisk(
  t: Test,
  session: pg.Client,
  table: string,
  work: () => Promise<void>,
): Promise<void> {
  const disk = await smallDisk(t, 4);
  if (disk === null) return;
  const { user } = await chooseRunAs(null);
  if ("uid" in user) await chown(disk, user.uid, user.gid);
  await chmod(disk, 0o700);
  await session.query(`create tablespace small location '${disk}'`);
  await session.query(`alter table ${table} set tablespace small`);
  t.ok((await stat(disk)).isDirectory());
  await writeFile(join(disk, "ballast"), Buffer.alloc(8 * MIB)).catch(() => undefined);
  await work();
  await session.query(`alter table ${table} set tablespace pg_default`);
  await session.query("drop tablespace small");
}

const PICTURE = Buffer.from(pngOf(photograph(96, 64)));

/** A service and its readiness. */
async function startReady(t: Test) {
  const service = await start(t);
  const readyz = `${await service.url()}/readyz`;
  const isReady = async () => (await fetch(readyz)).status === 200;
  t.ok(await isReady());
  return { ...service, isReady };
}

t.test("a full database disk returns 507, costs nothing, and fails readiness", async (t) => {
  const { session, db, account, ask, upload, lines, isReady } = await startReady(t);
  await withFullDisk(t, session, "source_bytes", async () => {
    const refused = await ask("POST", "/sources/upload", { data: PICTURE.toString("base64") });
    t.equal(refused.status, 507);
    t.equal(refused.headers.get("Retry-After"), "60");
    const problem = await refused.text();
    t.match(JSON.parse(problem), { code: "insufficient_storage" });
    t.notMatch(problem, /pg_|\/tmp|extend/, "nothing of the inside");
    await until(() => lines.some((line) => /No space left on device/.test(line)));
    const preset = await ask("POST", "/sources/presets", { preset: "floral", seed: 1 });
    t.equal(preset.status, 507);
    t.match(await db.accounts.byId(account.id), { credits: 100 });
    t.notOk(await isReady());
  });
  t.ok((await upload(PICTURE)).id, "once there is room it goes on");
});

t.test("a disk that is full for a tool fails readiness", async (t) => {
  const { session, ask, isReady } = await startReady(t);
  await withFullDisk(t, session, "source_bytes", async () => {
    const given = { data: PICTURE.toString("base64") };
    const params = { name: "upload_source_from_base64", arguments: given };
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const accept = { Accept: "application/json, text/event-stream" };
    t.match(await (await ask("POST", "/mcp", call, accept)).text(), "insufficient_storage");
    t.notOk(await isReady());
  });
});

t.test("a disk that is full for a job fails readiness", async (t) => {
  const { session, ask, make, upload, isReady } = await startReady(t);
  const { id: source_id } = await upload(PICTURE);
  const { id } = await make("/patterns", { source_id, group: "p1" });
  await withFullDisk(t, session, "export_chunks", async () => {
    const print = { format: "png", width_mm: 20, height_mm: 20, cell_mm: 10 };
    t.equal((await ask("POST", `/patterns/${id}/export`, print)).status, 202);
    await until(async () => !(await isReady()));
  });
});
