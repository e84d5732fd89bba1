/** Accounts with bytes of all kinds, whose place tests look at. */
import { randomBytes } from "node:crypto";
import type { Test } from "tap";
import { CHUNK_BYTES, type Database } from "../../db/index.ts";
import { testDatabases } from "../helpers/database.ts";
import { type ObjectServer, objectServer } from "../helpers/object-store.ts";
import { design, picture } from "./contract/fixtures.ts";

/** Chunks of a file: more than one request reads. */
export const CHUNKS = 19;

/** A database whose bytes are in an object store. */
export async function withStore(t: Test, options = "") {
  const server = await objectServer(t, options);
  return { server, ...(await testDatabases(t, undefined, server.objects)) };
}

/** A source with its pattern, an export and a mockup of it, all with bytes. */
export async function makeAll(db: Database, accountId: number, name = "one") {
  const { fields, bytes: source } = picture(name);
  const { id: sourceId } = await db.sources.create(accountId, fields, source, 0);
  const pattern = await db.patterns.create(accountId, design(sourceId), 0);
  const pattern_id = pattern?.id ?? 0;
  const file = randomBytes((CHUNKS - 1) * CHUNK_BYTES + 5);
  const order = { design: {}, source_sha256: "", fields: {}, preflight: {}, media_type: "a/b" };
  const limits = { estimatedBytes: file.length, unfinishedAtMost: 9 };
  const ordered = await db.exports.create(accountId, { pattern_id, ...order }, limits);
  const exportId = ordered?.id ?? 0;
  const run = { id: exportId, run: (await db.exports.begin(exportId))?.run ?? 0 };
  {
    await using writer = await db.exports.openFile(run);
    for (let at = 0; at < file.length; at += CHUNK_BYTES) {
      await writer.write(file.subarray(at, at + CHUNK_BYTES));
    }
    const made = await writer.finish(new AbortController().signal);
    await db.exports.finish(run, { ...made, certificate: null });
  }
  const wanted = [{ product: "mug", cell_mm: 40 }];
  const [mockup] = (await db.mockups.order(accountId, pattern_id, wanted, 1000)) ?? [];
  if (!mockup) throw new Error("the mockup is ordered");
  const image = randomBytes(CHUNK_BYTES + 7);
  await db.mockups.settle(mockup.batch, mockup.id, { image });
  return { sourceId, pattern_id, exportId, mockup, file, image, source, sha256: fields.sha256 };
}
type All = Awaited<ReturnType<typeof makeAll>>;

/** Whether all bytes are read as they were written. */
export async function areIntact(db: Database, accountId: number, made: All): Promise<boolean> {
  const file = await Array.fromAsync(db.exports.read(made.exportId, 0, made.file.length - 1));
  const mockup = await db.mockups.image(accountId, made.mockup.id);
  const source = await db.sources.bytes(made.sha256);
  return (
    made.file.equals(Buffer.concat(file)) &&
    made.image.equals(mockup?.image ?? Buffer.alloc(0)) &&
    Buffer.from(made.source).equals(source ?? Buffer.alloc(0))
  );
}

/** Counts what is in the database. */
export const STORED = `
  select (select count(*) from export_chunks where content is not null)::int as chunks,
    (select count(*) from source_bytes where bytes is not null)::int as sources,
    (select count(*) from mockups where image is not null)::int as mockups`;

/** The kinds of all objects, by their keys. */
export const kindsOf = async (server: ObjectServer) =>
  (await server.keys()).map((key) => key.split("/")[1]);
