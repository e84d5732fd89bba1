import t from "tap";
import {
  authenticateApiKey,
  createApiKey,
  isWellFormedKey,
} from "../../server/actions/api-keys.ts";
import { testDatabase } from "../helpers/database.ts";

const BODY = `pf_${"0".repeat(32)}`;

t.test("a key authenticates its account and shows its secret once", async (t) => {
  const db = await testDatabase(t);
  const account = await db.accounts.create({ email: "a@example.org", plan: "pro", credits: 1 });
  const { key, secret } = await createApiKey(db, account.id, "shop");
  t.match(secret, /^pf_[0-9A-Za-z]{38}$/);
  t.match(key, { name: "shop", prefix: secret.slice(0, 7), last_four: secret.slice(-4) });
  t.notMatch(JSON.stringify(key), secret);
  t.same(await authenticateApiKey(db, secret), { key, account });

  const { secret: another } = await createApiKey(db, account.id, "shop");
  t.not(another, secret);
  await db.apiKeys.revoke(account.id, key.id);
  t.equal(await authenticateApiKey(db, secret), null);
});

t.test("rejects a mistyped key without a query", async (t) => {
  const db = await testDatabase(t);
  const account = await db.accounts.create({ email: "a@example.org", plan: "pro", credits: 1 });
  const { secret } = await createApiKey(db, account.id, "shop");
  t.ok(isWellFormedKey(secret));
  await db.close();
  await t.rejects(authenticateApiKey(db, secret), "a right one is looked up");
  for (let place = 3; place < secret.length; place++) {
    const wrong = secret[place] === "x" ? "y" : "x";
    const mistyped = secret.slice(0, place) + wrong + secret.slice(place + 1);
    t.equal(await authenticateApiKey(db, mistyped), null, `character ${place}`);
  }
});

t.test("the checksum detects transpositions", async (t) => {
  const db = await testDatabase(t);
  const account = await db.accounts.create({ email: "a@example.org", plan: "pro", credits: 1 });
  const { secret } = await createApiKey(db, account.id, "shop");
  for (let place = 3; place < secret.length - 1; place++) {
    const [one, two] = secret.slice(place, place + 2);
    if (one === two) continue;
    t.notOk(isWellFormedKey(secret.slice(0, place) + two + one + secret.slice(place + 2)));
  }
});

t.test("the checksum is the CRC-32 of the preceding characters in base62", async (t) => {
  // By Python's zlib: crc32(b"pf_" + b"0" * 32) is 1 712 491 132.
  t.ok(isWellFormedKey(`${BODY}1rtRAi`));
  t.notOk(isWellFormedKey(`${BODY}1rtRAj`));
});

t.test("rejects other formats", async (t) => {
  for (const text of [
    "",
    "pf_",
    BODY,
    `${BODY}1rtRAi `,
    `${BODY}é1rtRA`,
    `sk_${BODY.slice(3)}1rtRAi`,
  ]) {
    t.notOk(isWellFormedKey(text), text);
  }
});
