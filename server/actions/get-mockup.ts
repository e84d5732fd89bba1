import { Conflict, type Mockup } from "../../db/index.ts";
import { NotFound, NotReady } from "./errors.ts";
import type { Services } from "./services.ts";

/** One mockup of the account. Throws NotFound. */
export async function getMockup({ db }: Services, accountId: number, id: number): Promise<Mockup> {
  const mockup = await db.mockups.get(accountId, id);
  if (!mockup) throw new NotFound(`mockup ${id}`);
  return mockup;
}

/** A mockup's picture as a JPEG, with its SHA-256 in hex. Throws NotReady before there is one, Conflict where it has failed. */
export async function readMockup(
  { db }: Services,
  { account_id, id, error }: Mockup,
): Promise<{ readonly image: Uint8Array; readonly sha256: string }> {
  const drawn = await db.mockups.image(account_id, id);
  if (drawn) return drawn;
  if (error !== null) throw new Conflict(`mockup ${id} has failed: ${error}`);
  throw new NotReady(`mockup ${id} is not drawn yet`);
}
