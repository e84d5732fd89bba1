/** What a fresh installation prints once: where it is, a key to begin with, and a line to try it. */
import type { Database } from "../db/index.ts";
import { createFirstAccount } from "./actions/accounts.ts";
import { createApiKey } from "./actions/api-keys.ts";
import { addresses, type Config } from "./config.ts";

/**
 * A shell line that makes a preset source, a p4 pattern of it, and saves its tile as `pattern.png`.
 * It needs curl and sed; the brackets keep its helpers out of the shell it is pasted into.
 */
function firstPattern(api: string, secret: string): string {
  const headers = `-H 'X-API-Key: ${secret}' -H 'Content-Type: application/json'`;
  return [
    `(post() { curl -fsS ${headers} -d "$2" -o "\${3:--}" "${api}/$1"; }`,
    `id() { sed -E 's/.*"id": ?([0-9]+).*/\\1/'; }`,
    `source=$(post sources/presets '{"preset":"floral","seed":7}' | id)`,
    `pattern=$(post patterns "{\\"source_id\\":$source,\\"group\\":\\"p4\\"}" | id)`,
    `post "patterns/$pattern/render" '{"size":1024}' pattern.png)`,
  ].join("; ");
}

/**
 * On a new embedded database: makes a trial account with a key, and writes both with the addresses.
 * At any later start it does nothing. `port` is the one really listened on.
 */
export async function welcome(
  db: Database,
  config: Config,
  write: (text: string) => void,
  port: number = config.port,
): Promise<void> {
  if (!db.isNew) return;
  const account = await createFirstAccount(db);
  if (!account) return;
  const { secret } = await createApiKey(db, account.id, "first start");
  const { publicUrl } = addresses(config, port);
  write(`
This is a new installation, with a trial account of ${account.credits} credits.

  API            ${publicUrl}/api/v1
  documentation  ${publicUrl}/docs
  key            ${secret}

The key is shown this once. This line makes a pattern and saves it as pattern.png:

${firstPattern(`${publicUrl}/api/v1`, secret)}
`);
}
