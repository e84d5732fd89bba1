import { createHash } from "node:crypto";
import type { Test } from "tap";
import { PROCESS_LOCK } from "../../../db/connection/locks.ts";
import { type Claim, Conflict, CreditsExhausted, type Database } from "../../../db/index.ts";
import type { DatabasePool } from "../../helpers/database.ts";
import { design, makeAccount, picture } from "./fixtures.ts";

const hash = (text: string) => createHash("sha256").update(text).digest();
const encode = (text: string) => new TextEncoder().encode(text);

async function claimed(db: Database, account: number, key = "k", what = "w") {
  const claim = await db.idempotency.claim(account, hash(key), hash(what));
  if (claim.state !== "claimed") throw new Error(`expected to claim, found ${claim.state}`);
  return claim;
}

/** Creates a pattern within a claim. */
async function makePattern(claim: Claim & { state: "claimed" }, account: number, cost = 1) {
  const { fields, bytes } = picture("a");
  const source = await claim.database.sources.create(account, fields, bytes, 0);
  return claim.database.patterns.create(account, design(source.id), cost);
}

export function idempotencyContract(t: Test, open: DatabasePool): void {
  t.test("a call is claimed once, and later callers get its response", async (t) => {
    const { db } = await open(t);
    const { id } = await makeAccount(db);
    const stranger = await makeAccount(db, 1, "b@example.org");
    const claim = await claimed(db, id);
    const again = () => db.idempotency.claim(id, hash("k"), hash("w"));
    t.equal((await again()).state, "in_flight");
    t.equal((await db.idempotency.claim(id, hash("k"), hash("other"))).state, "mismatch");
    await claim.settle(encode("done"));
    t.same(await again(), { state: "answered", answer: Buffer.from("done") });
    t.equal((await db.idempotency.claim(id, hash("k"), hash("other"))).state, "mismatch");
    t.equal((await claimed(db, stranger.id)).state, "claimed", "keys are an account's own");
    t.equal((await claimed(db, id, "k2")).state, "claimed");
  });

  t.test("one of many concurrent claims succeeds", async (t) => {
    const { db } = await open(t);
    const { id } = await makeAccount(db);
    const claims = await Promise.all(
      Array.from({ length: 40 }, () => db.idempotency.claim(id, hash("k"), hash("w"))),
    );
    const states = claims.map(({ state }) => state);
    t.equal(states.filter((state) => state === "claimed").length, 1);
    t.equal(states.filter((state) => state === "in_flight").length, 39);
  });

  t.test("writes of a claim are committed only with its response", async (t) => {
    const { db, look } = await open(t);
    const { id } = await makeAccount(db, 5);
    const patterns = async () => (await look("select count(*) from patterns"))[0].count;
    const first = await claimed(db, id);
    const pattern = await makePattern(first, id);
    t.equal(await patterns(), "0", "not seen from outside yet");
    t.same(await first.database.patterns.get(id, pattern?.id ?? 0), pattern, "seen from inside");
    await first.release();
    t.equal(await patterns(), "0");
    t.match(await db.accounts.byId(id), { credits: 5 });

    const second = await claimed(db, id);
    await makePattern(second, id);
    await second.settle(encode("made"));
    t.equal(await patterns(), "1");
    t.match(await db.accounts.byId(id), { credits: 4 });
  });

  t.test("a write that fails leaves the claim usable", async (t) => {
    const { db } = await open(t);
    const { id } = await makeAccount(db, 5);
    const claim = await claimed(db, id);
    await t.rejects(makePattern(claim, id, 6), CreditsExhausted);
    t.ok(await makePattern(claim, id, 5));
    await claim.settle(encode("made"));
    t.match(await db.accounts.byId(id), { credits: 0 });
  });

  t.test(
    "an abandoned call can be taken over, and then its first caller has no effect",
    async (t) => {
      const { db, look } = await open(t);
      const { id } = await makeAccount(db, 5);
      const slow = await claimed(db, id);
      await makePattern(slow, id);
      t.equal((await db.idempotency.claim(id, hash("k"), hash("w"))).state, "in_flight");
      // As the server releases claims of a dead process.
      await look(`
        select pg_terminate_backend(pid, 10000) from pg_locks
        where locktype = 'advisory' and classid = ${PROCESS_LOCK}
          and database = (select oid from pg_database where datname = current_database())`);
      t.equal((await db.idempotency.claim(id, hash("k"), hash("other"))).state, "mismatch");
      const fast = await claimed(db, id);
      await t.rejects(slow.settle(encode("slow")), Conflict);
      t.match(await db.accounts.byId(id), { credits: 5 });
      await makePattern(fast, id);
      await fast.settle(encode("fast"));
      t.match(await db.accounts.byId(id), { credits: 4 });
      await slow.release();
      const { state } = await db.idempotency.claim(id, hash("k"), hash("w"));
      t.equal(state, "answered", "a late release takes no answer away");
    },
  );

  t.test("an expired key may be used for another call, and old ones are deleted", async (t) => {
    const { db, look } = await open(t);
    const { id } = await makeAccount(db);
    for (const key of ["a", "b", "c"]) await (await claimed(db, id, key)).settle(encode(key));
    await look("update idempotent_calls set expires_at = now()");
    t.equal((await claimed(db, id, "a", "something else")).state, "claimed");
    t.same(await look("select count(*) from idempotent_calls"), [{ count: "1" }]);
  });
}
