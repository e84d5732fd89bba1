import type { Source } from "../../db/index.ts";
import { NotFound } from "./errors.ts";
import type { Services } from "./services.ts";

/** One source of the account. Throws NotFound. */
export async function getSource({ db }: Services, accountId: number, id: number): Promise<Source> {
  const source = await db.sources.get(accountId, id);
  if (!source) throw new NotFound(`source ${id}`);
  return source;
}
