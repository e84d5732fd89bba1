import { verify } from "@node-rs/argon2";
import t from "tap";
import { Conflict, type Plan } from "../../db/index.ts";
import {
  AccountFrozen,
  AccountNotFound,
  changeAccount,
  createAccount,
  createFirstAccount,
  findAccount,
  PlanRequired,
  requireActive,
  requireProgrammaticPlan,
} from "../../server/actions/accounts.ts";
import { InvalidInput } from "../../server/actions/errors.ts";
import { testDatabase } from "../helpers/database.ts";

t.test("stores a password as an argon2id hash", async (t) => {
  const db = await testDatabase(t);
  const fields = { email: "ada@example.org", plan: "trial", password: "correct horse" } as const;
  const account = await createAccount(db, fields);
  t.match(account, { email: "ada@example.org", plan: "trial", credits: 100, frozen: false });
  const { password_hash } = (await db.accounts.byEmail("ada@example.org")) ?? {};
  t.match(password_hash, /^\$argon2id\$/);
  t.ok(await verify(password_hash ?? "", "correct horse"));
  t.notOk(await verify(password_hash ?? "", "battery staple"));
});

t.test("an account without a password has no hash", async (t) => {
  const db = await testDatabase(t);
  await createAccount(db, { email: "ada@example.org", plan: "pro", credits: 0 });
  t.match(await db.accounts.byEmail("ada@example.org"), { credits: 0, password_hash: null });
});

t.test("rejects an invalid e-mail address", async (t) => {
  const db = await testDatabase(t);
  for (const email of [
    "",
    "ada",
    "ada@",
    "@example.org",
    "a b@example.org",
    `${"a".repeat(254)}@b`,
  ]) {
    await t.rejects(createAccount(db, { email, plan: "pro" }), InvalidInput, email);
  }
  t.same(await db.accounts.list(), []);
});

t.test("reports an unknown account id", async (t) => {
  const db = await testDatabase(t);
  await t.rejects(findAccount(db, 7), new AccountNotFound(7));
  await t.rejects(changeAccount(db, 7, { frozen: true }), new AccountNotFound(7));
});

t.test("concurrent processes create the first account once", async (t) => {
  const db = await testDatabase(t);
  const made = await Promise.all([createFirstAccount(db), createFirstAccount(db)]);
  t.equal(made.filter((account) => account !== null).length, 1);
  t.equal(await createFirstAccount(db), null);
  t.match(await db.accounts.list(), [{ plan: "trial", credits: 100 }]);
  await t.rejects(createAccount(db, { email: "trial@localhost", plan: "pro" }), Conflict);
});

t.test("rejects frozen accounts of any plan", async (t) => {
  const db = await testDatabase(t);
  const account = await createAccount(db, { email: "ada@example.org", plan: "agency" });
  t.doesNotThrow(() => requireActive(account));
  const frozen = await changeAccount(db, account.id, { frozen: true });
  t.throws(() => requireActive(frozen), new AccountFrozen(account.id));
});

t.test("permits programmatic access on every plan but starter", async (t) => {
  const db = await testDatabase(t);
  const account = await createAccount(db, { email: "ada@example.org", plan: "pro" });
  for (const plan of ["pro", "agency", "trial"] satisfies Plan[]) {
    t.doesNotThrow(() => requireProgrammaticPlan({ ...account, plan }), plan);
  }
  const starter = await changeAccount(db, account.id, { plan: "starter" });
  t.throws(() => requireProgrammaticPlan(starter), new PlanRequired("starter"));
});
