/** Output of a fresh installation's first start: its URLs, a key, and a command to try it. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../db/index.ts";
import { createFirstAccount } from "./actions/accounts.ts";
import { createApiKey } from "./actions/api-keys.ts";
import type { Log } from "./actions/log.ts";
import { addresses } from "./addresses.ts";
import type { Config } from "./config.ts";

/** The file in DATA_DIR that holds the first key where standard output is no terminal. */
const KEY_FILE = "first-key";

/** Standard output: a terminal, or a log in which no secret should be. */
export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Returns a shell command that creates a preset source and a p4 pattern of it, and saves its tile
 * as `pattern.png`. It needs curl and sed; the parentheses keep its variables out of the shell.
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
 * Creates a trial account with a key in a new embedded database. A terminal gets the key and the
 * URLs; without one the key is written to a file of mode 0600, whose path is logged. Does nothing
 * at later starts. `port` is the actual port.
 */
export async function welcome(
  db: Database,
  config: Config,
  log: Log,
  port: number = config.port,
  output: Terminal = process.stdout,
): Promise<void> {
  if (!db.isNew) return;
  const account = await createFirstAccount(db);
  if (!account) return;
  const { secret } = await createApiKey(db, account.id, "first start");
  const { publicUrl } = addresses(config, port);
  if (!output.isTTY) {
    const file = join(config.dataDir, KEY_FILE);
    // An existing file belongs to a deleted database, and possibly to another user.
    await rm(file, { force: true });
    await writeFile(file, `${secret}\n`, { mode: 0o600, flag: "wx" });
    const what = `a trial account with ${account.credits} credits was created`;
    log.info({ key_file: file, docs: `${publicUrl}/docs` }, `${what}; its key is in ${file}`);
    return;
  }
  output.write(`
This is a new installation with a trial account of ${account.credits} credits.

  API            ${publicUrl}/api/v1
  documentation  ${publicUrl}/docs
  key            ${secret}

The key is shown only once. This command creates a pattern and saves it as pattern.png:

${firstPattern(`${publicUrl}/api/v1`, secret)}

`);
}
