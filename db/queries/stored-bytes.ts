/** Writes and reads columns of bytes of any length, in chunks. */
import { createHash, randomUUID } from "node:crypto";
import { type FragmentSqlToken, sql } from "slonik";
import { binary } from "../connection/binary.ts";
import { CHUNK_BYTES, chunksOf, joinChunks } from "../connection/chunks.ts";
import type { Connection } from "../connection/types.ts";
import { CorruptedContent } from "../errors.ts";

/** Uploads bytes, then calls `store` with an SQL expression of type bytea for them. */
export async function upload(
  transaction: Connection,
  bytes: Uint8Array,
  store: (uploaded: FragmentSqlToken) => Promise<unknown>,
): Promise<void> {
  if (bytes.byteLength <= CHUNK_BYTES) {
    await store(sql.fragment`${binary(bytes)}::bytea`);
    return;
  }
  const id = randomUUID();
  for (const { start, chunk } of chunksOf(bytes)) {
    await transaction.query(sql.unsafe`
      insert into uploaded_pieces (upload, start, piece) values (${id}, ${start}, ${binary(chunk)})`);
  }
  await store(sql.fragment`
    (select string_agg(piece, '' order by start) from uploaded_pieces where upload = ${id})`);
  await transaction.query(sql.unsafe`delete from uploaded_pieces where upload = ${id}`);
}

/**
 * The bytes that `read` returns in chunks, see `joinChunks`; null where they were deleted meanwhile.
 * Throws `CorruptedContent` where they have another SHA-256.
 */
export async function readVerified(
  length: number,
  sha256: string,
  read: (start: number) => Promise<Uint8Array | undefined>,
  [what, remedy]: readonly [string, string],
): Promise<Uint8Array | null> {
  const hash = createHash("sha256");
  const bytes = await joinChunks(length, async (start) => {
    const chunk = await read(start);
    if (chunk) hash.update(chunk);
    return chunk;
  });
  if (bytes && hash.digest("hex") !== sha256) throw new CorruptedContent(what, { remedy });
  return bytes;
}
