import type { Source } from "../../db/index.ts";
import type { Services } from "./services.ts";

/** The bytes of a stored source as they were uploaded. */
export async function readSourceImage(
  { sources }: Pick<Services, "sources">,
  { id, sha256 }: Source,
): Promise<Uint8Array> {
  const bytes = await sources.read(sha256);
  if (!bytes) throw new Error(`the bytes of source ${id} (${sha256}) are not stored`);
  return bytes;
}
