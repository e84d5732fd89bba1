import type { Test } from "tap";
import { openDatabase } from "../../../db/index.ts";
import { open, type Subject } from "./subject.ts";

export function secretContract(t: Test, subject: Subject): void {
  t.test("concurrent nodes get the same secret", async (t) => {
    const url = await subject();
    const { db } = await open(t, () => Promise.resolve(url));
    const other = await openDatabase({ url, dataDir: "" });
    t.teardown(() => other.close());
    const found = await Promise.all([db, other, db, other].map((one) => one.secrets.get("a")));
    t.equal(new Set(found.map((secret) => Buffer.from(secret).toString("hex"))).size, 1);
    t.equal(found[0].byteLength, 32);
    t.notSame(await db.secrets.get("b"), found[0]);
  });
}
