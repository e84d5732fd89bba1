import type { Pattern, Source } from "../../db/index.ts";
import type { Services } from "./services.ts";

/** The source that a pattern stands on; it cannot be deleted before the pattern. */
export async function getPatternSource(
  { db }: Pick<Services, "db">,
  { id, account_id, source_id }: Pattern,
): Promise<Source> {
  const source = await db.sources.get(account_id, source_id);
  if (!source) throw new Error(`pattern ${id} stands on source ${source_id}, which is gone`);
  return source;
}
