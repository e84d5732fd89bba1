/** Contract: mockups, one of each product for a pattern. */
import { hash, randomBytes } from "node:crypto";
import type { Test } from "tap";
import type { DatabasePool } from "../../helpers/database.ts";
import { design, makeAccount, picture } from "./fixtures.ts";

async function withPattern(t: Test, open: DatabasePool) {
  const { db, look } = await open(t);
  const account = await makeAccount(db);
  const { fields, bytes } = picture("a source");
  const source = await db.sources.create(account.id, fields, bytes, 0);
  const pattern = (await db.patterns.create(account.id, design(source.id), 0))?.id ?? 0;
  const place = async (...products: string[]) => {
    const wanted = products.map((product) => ({ product, cell_mm: 80.5 }));
    return (await db.mockups.order(account.id, pattern, wanted, 100)) ?? [];
  };
  /** The mockups of an order, and its batch. */
  const order = async (...products: string[]) => {
    const ordered = await place(...products);
    const [row] = await look(`select batch from mockups where id = ${ordered[0]?.id}`);
    return { ordered, batch: String(row?.batch) };
  };
  return { db, look, account, pattern, place, order };
}

/** The result of drawing a picture with these bytes. */
const drawn = (...bytes: number[]) => {
  const image = Uint8Array.from(bytes);
  return { image, sha256: hash("sha256", image) };
};

export function mockupContract(t: Test, open: DatabasePool): void {
  t.test("mockups are created together, drawn one by one and read back", async (t) => {
    const { db, look, account, pattern, order } = await withPattern(t, open);
    t.same(await db.mockups.list(account.id, pattern), []);
    const { ordered, batch } = await order("mug", "cushion");
    t.same(
      ordered.map(({ product, cell_mm, status }) => [product, cell_mm, status]),
      [
        ["cushion", 80.5, "queued"],
        ["mug", 80.5, "queued"],
      ],
    );
    const [job] = await look("select data from outbox where queue = 'draw_mockups'");
    t.same(job?.data, { account_id: account.id, pattern_id: pattern, batch });
    const [cushion, mug] = await db.mockups.ofBatch(batch);
    if (!cushion || !mug) return t.fail("both are of the batch");
    t.equal(await db.mockups.image(account.id, mug.id), null);
    await db.mockups.settle(batch, mug.id, drawn(1, 2));
    await db.mockups.settle(batch, cushion.id, { error: "the source cannot be read" });
    t.match(await db.mockups.get(account.id, mug.id), {
      status: "done",
      sha256: drawn(1, 2).sha256,
    });
    t.match(await db.mockups.list(account.id, pattern), [
      { product: "cushion", status: "failed", error: "the source cannot be read", sha256: null },
      { product: "mug", status: "done", error: null },
    ]);
    t.same([...((await db.mockups.image(account.id, mug.id))?.image ?? [])], [1, 2]);
  });

  t.test("a replaced mockup keeps its id, and its picture until it is drawn again", async (t) => {
    const { db, account, order } = await withPattern(t, open);
    const first = await order("mug", "tote-bag");
    const [mug] = first.ordered;
    if (!mug) return t.fail("it is ordered");
    await db.mockups.settle(first.batch, mug.id, drawn(1));
    const second = await order("mug");
    t.match(second.ordered, [
      { id: mug.id, status: "queued", sha256: drawn(1).sha256, finished_at: null },
    ]);
    t.same([...((await db.mockups.image(account.id, mug.id))?.image ?? [])], [1]);
    t.same(
      (await db.mockups.ofBatch(first.batch)).map(({ product }) => product),
      ["tote-bag"],
    );
    await db.mockups.settle(first.batch, mug.id, drawn(9));
    t.match(await db.mockups.get(account.id, mug.id), {
      status: "queued",
      sha256: drawn(1).sha256,
    });
    await db.mockups.settle(second.batch, mug.id, drawn(2));
    t.same([...((await db.mockups.image(account.id, mug.id))?.image ?? [])], [2]);
  });

  t.test("stores a picture in many pieces and verifies it", async (t) => {
    const { db, look, account, order } = await withPattern(t, open);
    const { ordered, batch } = await order("mug");
    const id = ordered[0]?.id ?? 0;
    const [first, second] = [700_001, 2 ** 19].map((length) => randomBytes(length));
    if (!first || !second) return;
    await db.mockups.settle(batch, id, { image: first });
    const image = async () => db.mockups.image(account.id, id);
    t.match(await image(), { sha256: hash("sha256", first) });
    t.ok(first.equals((await image())?.image ?? Buffer.of()));
    t.same(await look("select from uploaded_pieces"), []);
    t.equal((await db.accounts.usage(account.id)).output_bytes, 700_001);

    const again = await order("mug");
    const reading = Array.from({ length: 10 }, image);
    await db.mockups.settle(again.batch, id, { image: second });
    for (const found of await Promise.all(reading)) {
      t.equal(hash("sha256", found?.image ?? Buffer.of()), found?.sha256, "never a mixture");
    }
    t.ok(second.equals((await image())?.image ?? Buffer.of()));
    await look("update mockups set image = set_byte(image, 400000, get_byte(image, 400000) # 4)");
    await t.rejects(image(), { name: "CorruptedContent" });
  });

  t.test("an account sees its own mockups only", async (t) => {
    const { db, account, pattern, order } = await withPattern(t, open);
    const { ordered, batch } = await order("mug");
    const id = ordered[0]?.id ?? 0;
    await db.mockups.settle(batch, id, drawn(1));
    const other = await makeAccount(db, 0, "b@example.org");
    t.equal(await db.mockups.order(other.id, pattern, [{ product: "mug", cell_mm: 1 }], 1), null);
    t.equal(await db.mockups.list(other.id, pattern), null);
    t.equal(await db.mockups.get(other.id, id), null);
    t.equal(await db.mockups.image(other.id, id), null);
    await db.patterns.delete(account.id, pattern);
    t.equal(await db.mockups.list(account.id, pattern), null);
    t.equal(await db.mockups.get(account.id, id), null, "they go with the pattern");
  });

  t.test("concurrent orders do not deadlock", async (t) => {
    const { db, account, pattern, place } = await withPattern(t, open);
    await Promise.all(
      Array.from({ length: 12 }, (_, k) =>
        k % 2 ? place("mug", "cushion", "poster") : place("poster", "cushion", "mug"),
      ),
    );
    t.equal((await db.mockups.list(account.id, pattern))?.length, 3);
  });

  t.test("webhooks receive mockup.ready", async (t) => {
    const { db, look, account, pattern } = await withPattern(t, open);
    const mockups = [{ id: 3, product: "mug", url: "https://orbifold.example/mug" }];
    await db.mockups.recordReady(account.id, pattern, mockups);
    const [event] = await look("select event, data from events order by id desc limit 1");
    t.same(event, { event: "mockup.ready", data: { pattern_id: pattern, mockups } });
  });
}
