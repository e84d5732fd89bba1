import { sql } from "slonik";

/** Bytes as a value of a query, without a copy. */
export function binary({ buffer, byteOffset, byteLength }: Uint8Array) {
  return sql.binary(Buffer.from(buffer, byteOffset, byteLength));
}
