import type { Test } from "tap";
import { openDatabase } from "../../../db/index.ts";
import type { DatabasePool } from "../../helpers/database.ts";

export function secretContract(t: Test, open: DatabasePool): void {
  t.test("concurrent nodes get the same secret", async (t) => {
    const { db, url } = await open(t);
    const other = await openDatabase({ url, dataDir: "" });
    t.teardown(() => other.close());
    const found = await Promise.all([db, other, db, other].map((one) => one.secrets.get("a")));
    t.equal(new Set(found.map((secret) => Buffer.from(secret).toString("hex"))).size, 1);
    t.equal(found[0].byteLength, 32);
    t.notSame(await db.secrets.get("b"), found[0]);
  });
}
