/** Writes and reads columns of bytes of any length, in pieces. */
import { createHash, randomUUID } from "node:crypto";
import { type FragmentSqlToken, sql } from "slonik";
import { binary } from "../connection/binary.ts";
import { joinPieces, PIECE_BYTES, piecesOf } from "../connection/pieces.ts";
import type { Connection } from "../connection/types.ts";
import { CorruptedContent } from "../errors.ts";

/** Uploads bytes, then calls `store` with an SQL expression of type bytea for them. */
export async function upload(
  transaction: Connection,
  bytes: Uint8Array,
  store: (uploaded: FragmentSqlToken) => Promise<unknown>,
): Promise<void> {
  if (bytes.byteLength <= PIECE_BYTES) {
    await store(sql.fragment`${binary(bytes)}::bytea`);
    return;
  }
  const id = randomUUID();
  for (const { start, piece } of piecesOf(bytes)) {
    await transaction.query(sql.unsafe`
      insert into uploaded_pieces (upload, start, piece) values (${id}, ${start}, ${binary(piece)})`);
  }
  await store(sql.fragment`
    (select string_agg(piece, '' order by start) from uploaded_pieces where upload = ${id})`);
  await transaction.query(sql.unsafe`delete from uploaded_pieces where upload = ${id}`);
}

/**
 * The bytes that `read` returns in pieces, see `joinPieces`; null where they were deleted meanwhile.
 * Throws `CorruptedContent` where they have another SHA-256.
 */
export async function readVerified(
  length: number,
  sha256: string,
  read: (start: number) => Promise<Uint8Array | undefined>,
  [what, remedy]: readonly [string, string],
): Promise<Uint8Array | null> {
  const hash = createHash("sha256");
  const bytes = await joinPieces(length, async (start) => {
    const piece = await read(start);
    if (piece) hash.update(piece);
    return piece;
  });
  if (bytes && hash.digest("hex") !== sha256) throw new CorruptedContent(what, { remedy });
  return bytes;
}
