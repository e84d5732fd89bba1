import type { Test } from "tap";
import { openDatabase } from "../../../db/index.ts";
import type { DatabasePool } from "../../helpers/database.ts";

export function rateLimitContract(t: Test, open: DatabasePool): void {
  t.test("a quota is counted across nodes and separately for each key", async (t) => {
    const { db, url } = await open(t);
    const other = await openDatabase({ url, dataDir: "" });
    t.teardown(() => other.close());
    const limit = { quota: 20, windowSeconds: 60 };
    const uses = await Promise.all(
      Array.from({ length: 30 }, (_, at) => [db, other][at % 2].rateLimits.use("a", limit)),
    );
    t.equal(uses.filter(({ allowed }) => allowed).length, 20);
    const remaining = uses.filter(({ allowed }) => allowed).map((use) => use.remaining);
    t.same(
      remaining.toSorted((a, b) => a - b),
      Array.from({ length: 20 }, (_, left) => left),
    );
    for (const { resetMs, allowed, remaining: left } of uses) {
      t.ok(resetMs > 0 && resetMs <= 60_000);
      if (!allowed) t.equal(left, 0);
    }
    t.match(await db.rateLimits.use("a", limit), { allowed: false, remaining: 0 });
    t.match(await db.rateLimits.use("b", limit), { allowed: true, remaining: 19 });
  });

  t.test("a raised quota counts earlier uses", async (t) => {
    const { db } = await open(t);
    for (let use = 0; use < 4; use++) {
      await db.rateLimits.use("a", { quota: 3, windowSeconds: 60 });
    }
    t.match(await db.rateLimits.use("a", { quota: 9, windowSeconds: 60 }), {
      allowed: true,
      remaining: 4,
    });
  });

  t.test("a window expires", async (t) => {
    const { db } = await open(t);
    const limit = { quota: 1, windowSeconds: 1 };
    await db.rateLimits.use("a", limit);
    const refused = await db.rateLimits.use("a", limit);
    t.notOk(refused.allowed);
    await new Promise((resolve) => setTimeout(resolve, refused.resetMs + 5));
    t.ok((await db.rateLimits.use("a", limit)).allowed);
  });
}
