/** Commands to manage accounts. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import t, { type Test } from "tap";
import { openDatabase } from "../../db/index.ts";
import type { Services } from "../../server/actions/services.ts";
import { logIn } from "../../server/actions/sessions.ts";
import { createTokens } from "../../server/actions/tokens.ts";
import {
  answer,
  type Environment,
  hasScript,
  inherited,
  onTerminal,
  orbifold,
  orbifoldWith,
  prepare,
} from "../helpers/command-line.ts";

const ADA = ["accounts", "create", "--email", "ada@example.org", "--plan", "pro"];

t.test("adds and removes credits, never below 0, with ledger entries", async (t) => {
  const env = await prepare(t);
  await answer(t, env, ...ADA, "--credits", "5");
  const change = (verb: string, amount: string) =>
    orbifold(env, "credits", verb, "--account", "1", "--amount", amount, "--json");
  t.match(JSON.parse((await change("add", "10")).stdout), { credits: 15 });
  const removal = ["credits", "remove", "--account", "1", "--amount", "4", "--note", "Refund"];
  t.match(await answer(t, env, ...removal), { credits: 11 });
  t.match(await change("remove", "12"), {
    code: 1,
    stdout: "",
    stderr: "orbifold: account 1 has 11 credits, fewer than 12\n",
  });
  t.match(await change("add", "0"), { code: 64, stderr: /--amount: expected an integer from 1/ });
  const none = ["credits", "add", "--account", "7", "--amount", "1"];
  t.match(await orbifold(env, ...none), { code: 1, stderr: "orbifold: there is no account 7\n" });
  const db = await openDatabase({ url: env.DATABASE_URL ?? "", dataDir: "" });
  t.teardown(() => db.close());
  const { rows } = await db.credits.entries(1, { limit: 9 });
  t.match(rows, [
    { amount: -4, reason: "adjusted_by_the_operator", note: "Refund", balance_after: 11 },
    { amount: 10, reason: "adjusted_by_the_operator", balance_after: 15 },
    { amount: 5, reason: "opening_balance" },
  ]);

  const shown = await answer(t, env, "accounts", "show", "1");
  t.match(shown, { id: 1, email: "ada@example.org", credits: 11, usage: { api_keys: 0 } });
  t.match(await answer(t, env, "usage"), [{ account_id: 1, credits: 11, sources: 0, patterns: 0 }]);
  const { stdout } = await orbifold(env, "usage", "--account", "1");
  t.match(stdout, /^ACCOUNT ID {2}E-?MAIL .*SOURCES.*\n1 /i);
});

t.test("changes the role of an account, which ends its sessions", async (t) => {
  const env = await prepare(t);
  t.match(await answer(t, env, ...ADA), { role: "owner" });
  const set = ["accounts", "set", "1", "--role"];
  const db = await openDatabase({ url: env.DATABASE_URL ?? "", dataDir: "" });
  t.teardown(() => db.close());
  t.match(await db.accounts.byToken(1, 0), { role: "owner" });
  t.match(await answer(t, env, ...set, "operator"), { role: "operator" });
  t.equal(await db.accounts.byToken(1, 0), null, "its sessions end");
  t.match(await answer(t, env, ...set, "operator"), { role: "operator" });
  t.match(await db.accounts.byToken(1, 1), { role: "operator" }, "the same role ends none");
  t.match((await orbifold(env, "accounts", "list")).stdout, /ROLE .*\n1 .* operator /);
  t.match(await answer(t, env, ...set, "owner"), { role: "owner" });
  t.match(await orbifold(env, ...set, "admin"), { code: 64, stderr: /--role/ });
  const { rows } = await db.operatorActions.list(1, { limit: 9 });
  t.match(rows, [
    { action: "role_changed", details: { from: "operator", to: "owner" }, operator_id: null },
    { action: "role_changed", details: { from: "owner", to: "operator" }, operator_id: null },
  ]);
});

/** Signs in with a password, on the database of an environment. */
async function signIn(t: Test, env: Environment, password: string) {
  const db = await openDatabase({ url: env.DATABASE_URL ?? "", dataDir: "" });
  t.teardown(() => db.close());
  const trust = { kind: "secret", secret: "a secret of thirty-two characters" } as const;
  const tokens = await createTokens(trust, () => Promise.reject(new Error("not needed")));
  const services = { db, tokens } as Services;
  return { db, tokens, session: await logIn(services, { email: "ada@example.org", password }) };
}

t.test("sets a password from standard input, which ends earlier sessions", async (t) => {
  const env = await prepare(t);
  await answer(t, env, ...ADA);
  const set = (input: string) => orbifoldWith(input, env, "accounts", "password", "1");
  t.match(await set("first password\n"), { code: 0, stderr: "" });
  const { db, tokens, session } = await signIn(t, env, "first password");
  const { version = null } = (await tokens.verify(session.token)) ?? {};
  t.ok(await db.accounts.byToken(1, version));
  const second = await set("  second password  ");
  t.match(second, { code: 0, stdout: /tokens are revoked/ });
  t.equal(await db.accounts.byToken(1, version), null);
  await signIn(t, env, "  second password  ");
  await t.rejects(signIn(t, env, "first password"), { name: "WrongPassword" });

  const short = await set("secret\n");
  t.match(short, { code: 64, stderr: /^orbifold: expected a password of at least 8 characters/ });
  t.notMatch(short.stderr, "secret");
  const typed = await orbifold(env, "accounts", "password", "1", "--password", "on the line");
  t.match(typed, { code: 64, stderr: /Unknown option '--password'/ });
});

/** Runs a command on a terminal and types `answer` at its prompt. Returns the terminal's output. */
async function typeOnTerminal(t: Test, env: Environment, line: string, answer: string) {
  const [program, ...args] = onTerminal(line);
  const child = spawn(program, args, {
    env: { ...inherited(), ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  t.teardown(() => child.kill("SIGKILL"));
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (part) => {
    if (!/[:?]/.test(shown) && /[:?]/.test(shown + part)) child.stdin.write(answer);
    shown += part;
  });
  const [code] = await once(child, "close");
  return { code, shown };
}

const skip = hasScript ? false : "script is not installed";

t.test("prompts for a password at a terminal without echo", { skip }, async (t) => {
  const env = await prepare(t);
  await answer(t, env, ...ADA);
  const { code, shown } = await typeOnTerminal(t, env, "accounts password 1", "typed unseen\r");
  t.equal(code, 0, shown);
  t.match(shown, "New password of ada@example.org: ");
  t.notMatch(shown, "typed");
  await signIn(t, env, "typed unseen");
  const cancelled = await typeOnTerminal(t, env, "accounts password 1", "half\u0003");
  t.equal(cancelled.code, 1, "Ctrl-C");
  await signIn(t, env, "typed unseen");
});

t.test("asks for confirmation before deleting an account", { skip }, async (t) => {
  const env = await prepare(t);
  await answer(t, env, ...ADA);
  t.match(await orbifold(env, "accounts", "delete", "1"), { code: 64, stderr: /--yes: expected/ });
  const no = await typeOnTerminal(t, env, "accounts delete 1", "\r");
  t.match(
    no.shown,
    /Delete account 1 \(ada@example\.org\) with 0 sources and 0 patterns\? \[y\/N\]/,
  );
  t.match(await answer(t, env, "accounts", "list"), [{ id: 1 }]);
  const yes = await typeOnTerminal(t, env, "accounts delete 1", "y\r");
  t.match(yes.shown, "account 1 is deleted");
  t.same(await answer(t, env, "accounts", "list"), []);
  const gone = await orbifold(env, "accounts", "delete", "1", "--yes");
  t.match(gone, { code: 1, stderr: "orbifold: there is no account 1\n" });
});
