import type { Test } from "tap";
import { DEFAULT_RETENTION } from "../../../db/index.ts";
import type { DatabasePool } from "../../helpers/database.ts";
import { design, makeAccount, picture } from "./fixtures.ts";

export function retentionContract(t: Test, open: DatabasePool): void {
  t.test("events and deliveries are deleted after their days, and younger ones kept", async (t) => {
    const { db, look } = await open(t);
    const { id } = await makeAccount(db);
    const events = ["pattern.created" as const];
    await db.webhooks.create(id, { url: "https://shop.example/", events, secret: "s" }, 9);
    const { fields, bytes } = picture("a");
    const source = await db.sources.create(id, fields, bytes, 0);
    const ids: unknown[] = [];
    for (let count = 0; count < 3; count++) {
      ids.push((await db.patterns.create(id, design(source.id), 0))?.id);
    }
    const left = async () => {
      const rows = await look(`
        select (select array_agg(data->'pattern_id' order by id) from events) as events,
          (select array_agg((body::jsonb)#>'{data,pattern_id}' order by number) from deliveries) as deliveries`);
      return rows[0];
    };
    await db.deleteExpired();
    t.same(await left(), { events: ids, deliveries: ids });
    for (const table of ["events", "deliveries"] as const) {
      const order = table === "events" ? "id" : "number";
      for (const [row, days] of [
        DEFAULT_RETENTION[table] + 0.01,
        DEFAULT_RETENTION[table] - 0.01,
      ].entries()) {
        await look(`update ${table} set created_at = now() - interval '1 d' * ${days}
          where ${order} = (select min(${order}) + ${row} from ${table})`);
      }
    }
    await db.deleteExpired();
    t.same(await left(), { events: ids.slice(1), deliveries: ids.slice(1) });
  });

  t.test("old handoffs are deleted, unless something was made in them", async (t) => {
    const { db, look } = await open(t);
    const { id } = await makeAccount(db);
    const create = async () => {
      const handoff = await db.handoffs.create(id, {
        tokenHash: crypto.getRandomValues(new Uint8Array(32)),
        product_id: 1,
        product: null,
        return_url: "https://shop.example/",
        cancel_url: null,
        locale: null,
        metadata: null,
        state: null,
        max_patterns: 2,
        lifetimeSeconds: 60,
      });
      return handoff.id;
    };
    const [unused, drafted, returned, opened] = [
      await create(),
      await create(),
      await create(),
      await create(),
    ];
    const { fields, bytes } = picture("a");
    await db.forGuest(drafted).sources.create(id, fields, bytes, 0);
    const guest = db.forGuest(returned);
    const source = await guest.sources.create(id, fields, bytes, 0);
    const pattern = await guest.patterns.create(id, design(source.id), 0);
    await db.handoffs.finish(id, returned, pattern?.id ?? 0);
    await look("update handoffs set created_at = now() - interval '1 d' * 90.01");
    const young = await create();
    await look(`update handoffs set created_at = now() - interval '89 d' where id = ${young}`);
    await db.handoffs.open(opened);
    await db.deleteExpired();
    await db.patterns.delete(id, pattern?.id ?? 0);
    await db.sources.delete(id, source.id);
    await db.deleteExpired();
    const rows = await look("select id::int from handoffs order by id");
    t.same(
      rows.map(({ id }) => id),
      [drafted, returned, young],
    );
    t.equal(await db.handoffs.get(id, unused), null);
  });
}
