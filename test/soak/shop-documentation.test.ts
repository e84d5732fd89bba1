/** The example shop runs from the product page to the print file. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import t from "tap";
import { openDatabase } from "../../db/index.ts";
import { createAccount } from "../../server/actions/accounts.ts";
import { createApiKey } from "../../server/actions/api-keys.ts";
import { temporaryFolder, testDatabaseUrl } from "../helpers/database.ts";
import { startService } from "../helpers/service.ts";

const SHOP = fileURLToPath(new URL("../../docs/examples/shop/shop.ts", import.meta.url));

t.test("a customer designs a pattern, which the shop orders and prints", async (t) => {
  const DATABASE_URL = await testDatabaseUrl();
  const db = await openDatabase({ url: DATABASE_URL, dataDir: "" });
  t.teardown(() => db.close());
  const account = await createAccount(db, { email: "shop@example.com", plan: "agency" });
  const { secret } = await createApiKey(db, account.id, "plugin");
  const service = await startService(t, { DATABASE_URL, OUTBOUND_ALLOW: "127.0.0.0/8" });
  const out = await temporaryFolder(t);
  const options = [
    "--api",
    `${await service.url()}/api/v1`,
    "--key",
    secret,
    "--out",
    out,
    "--play",
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [SHOP, ...options]);
  const events = [...stdout.matchAll(/^event {2}(\S+) (.*)$/gm)];
  t.same(
    events.map(([, name]) => name).toSorted(),
    ["design.applied", "design.applied", "pattern.created"],
    "each with a signature that was right",
  );
  const [pattern] = (await db.patterns.list(account.id, { limit: 9 })).rows;
  t.match(stdout, `order  of product 4711 with pattern ${pattern?.id}`);
  t.match(stdout, "return refused: forged");
  const print = await readFile(join(out, "order-1.pdf"));
  t.match(print.subarray(0, 8).toString("latin1"), "%PDF-1.7");
});
