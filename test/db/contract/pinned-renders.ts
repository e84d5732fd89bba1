import type { Test } from "tap";
import type { DatabasePool } from "../../helpers/database.ts";
import { design, makeAccount, picture } from "./fixtures.ts";

const HOUR = 3_600_000;

export function pinnedRenderContract(t: Test, open: DatabasePool): void {
  t.test("a pinned render is kept until its last link expires", async (t) => {
    const { db, look } = await open(t);
    const account = await makeAccount(db);
    const { fields, bytes } = picture("pinned");
    const source = await db.sources.create(account.id, fields, bytes, 0);
    const render = {
      account_id: account.id,
      pattern_id: 7,
      name: "Ä 'quoted'",
      fingerprint: "ab".repeat(32),
      source_sha256: fields.sha256,
      design: design(source.id),
      fields: { size: 32, offset: { x: -0.1, y: 1e-9 } },
    };
    const [id, other] = ["01".repeat(16), "02".repeat(16)] as const;
    t.equal(await db.pinnedRenders.find(id), null);
    const at = (milliseconds: number) => new Date(Date.now() + milliseconds);
    await db.pinnedRenders.pin(id, render, at(HOUR));
    await db.pinnedRenders.pin(id, render, at(-HOUR));
    await db.pinnedRenders.pin(other, { ...render, name: null }, at(-HOUR));
    t.same(await db.pinnedRenders.find(id), { ...render, has_source: true });
    t.match(await db.pinnedRenders.find(other), { name: null });

    await db.deleteExpired();
    t.equal(await db.pinnedRenders.find(other), null);
    t.ok(Number(await db.pinnedRenders.firstExpiry(account.id)) > Date.now());
    t.equal(await db.pinnedRenders.firstExpiry(account.id + 1), null);
    t.match(await db.pinnedRenders.find(id), { fingerprint: render.fingerprint });
    t.equal((await look("select from pinned_renders")).length, 1);

    const stranger = await makeAccount(db, 0, "b@example.org");
    await db.sources.create(stranger.id, fields, bytes, 0);
    await db.sources.delete(account.id, source.id);
    t.match(await db.pinnedRenders.find(id), { has_source: false }, "another account's is none");
  });
}
