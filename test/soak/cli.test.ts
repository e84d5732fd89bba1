/** The command line, one process a command. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import sharp from "sharp";
import t from "tap";
import { openDatabase } from "../../db/index.ts";
import { plainDesign } from "../../engine/index.ts";
import packageJson from "../../package.json" with { type: "json" };
import { isWellFormedKey } from "../../server/actions/api-keys.ts";
import { createTokens, USER_SESSION_TOKENS } from "../../server/actions/tokens.ts";
import { readConfig } from "../../server/config.ts";
import { picture } from "../db/contract/fixtures.ts";
import { answer, orbifold, prepare } from "../helpers/command-line.ts";
import { emptyDatabaseUrl, temporaryFolder } from "../helpers/database.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { some } from "../helpers/random-subset.ts";

t.test("manages accounts, keys and tokens", async (t) => {
  const env = await prepare(t);
  const create = ["accounts", "create", "--email", "ada@example.org", "--plan", "pro"];
  const account = await answer(t, env, ...create, "--credits", "5");
  t.match(account, { email: "ada@example.org", plan: "pro", credits: 5, frozen: false });
  t.same(await answer(t, env, "accounts", "list"), [account]);

  const id = String(account.id);
  const changed = await answer(
    t,
    env,
    "accounts",
    "set",
    id,
    "--plan",
    "agency",
    "--frozen",
    "true",
  );
  t.same(changed, { ...account, plan: "agency", frozen: true });

  const { secret, ...key } = await answer(
    t,
    env,
    "keys",
    "create",
    "--account",
    id,
    "--name",
    "shop",
  );
  t.ok(isWellFormedKey(secret));
  t.same(await answer(t, env, "keys", "list", "--account", id), [key]);
  await answer(t, env, "keys", "revoke", String(key.id), "--account", id);
  t.same(await answer(t, env, "keys", "list", "--account", id), []);

  const { token } = await answer(t, env, "token", "--account", id);
  const db = await openDatabase({ url: env.DATABASE_URL ?? "", dataDir: "" });
  t.teardown(() => db.close());
  const tokens = await createTokens(readConfig(env).tokens, () =>
    db.secrets.get(USER_SESSION_TOKENS),
  );
  t.match(await tokens.verify(token), { accountId: account.id });
});

t.test("prints aligned columns, and a secret or token on its own line", async (t) => {
  const env = await prepare(t);
  const { stdout } = await orbifold(
    env,
    "accounts",
    "create",
    "--email",
    "a@b.c",
    "--plan",
    "trial",
  );
  t.match(
    stdout,
    /^ID {2}E-MAIL {2}ROLE {3}PLAN {3}CREDITS {2}FROZEN {2}CREATED\n1 {3}a@b\.c {3}owner {2}trial {2}100 /,
  );
  const key = await orbifold(env, "keys", "create", "--account", "1", "--name", "shop");
  t.ok(isWellFormedKey(key.stdout.trimEnd()));
  const list = await orbifold(env, "keys", "list", "--account", "1");
  t.match(list.stdout, /^ID {2}NAME {2}KEY /);
  t.notMatch(list.stdout, key.stdout.trimEnd());
  t.match(await orbifold(env, "token", "--account", "1"), { stdout: /^[\w-]+\.[\w-]+\.[\w-]+\n$/ });
});

t.test("migrates an empty database and reports it on stderr", async (t) => {
  const env = { DATABASE_URL: await emptyDatabaseUrl() };
  const { stdout, stderr } = await orbifold(env, "migrate", "--json");
  t.match(JSON.parse(stdout), { database: /^PostgreSQL \d+ at / });
  t.match(stderr, "database: applied 0001-accounts.sql");
  t.match(await orbifold(env, "migrate"), { stdout: /up to date/, stderr: "" });
});

t.test("starts and stops the embedded database without a connection string", async (t) => {
  const env = { DATA_DIR: await temporaryFolder(t) };
  const create = ["accounts", "create", "--email", "a@example.org", "--plan", "pro"];
  await answer(t, env, ...create);
  const [again, list] = await Promise.all([
    orbifold(env, ...create),
    answer(t, env, "accounts", "list"),
  ]);
  t.match(again, { code: 1, stdout: "", stderr: /there is an account with .* already\n$/ });
  t.equal(list.length, 1);
});

t.test("exits with 64, one line and a hint for an invalid command line", async (t) => {
  const env = await prepare(t);
  const wrong: readonly [string, RegExp][] = [
    ["", /^orbifold: expected one of serve, .*; got no command\n/],
    ["accounts", /got accounts\n/],
    ["accounts rename", /got accounts rename\n/],
    ["accounts list --color red", /^orbifold: Unknown option '--color'\n/],
    ["accounts list 7", /^orbifold: Unexpected argument '7'\n/],
    ["accounts set 1 2", /^orbifold: expected one ID, got 2 too\n/],
    ["accounts set --frozen true", /^orbifold: ID: expected an integer from 1 .* got nothing\n/],
    ["accounts set 1 --frozen yes", /--frozen: expected true or false, got "yes"\n/],
    ["accounts set 1 --credits 1.5", /--credits: expected an integer from 0 .*, got "1.5"\n/],
    ["accounts create --email a@b.c", /--plan: expected one of starter, .* got nothing\n/],
    ["accounts create --email a@b.c --plan gold", /--plan: .*, got "gold"\n/],
    [
      "accounts create --email nobody --plan pro",
      /--email: expected an e-mail address, got "nobody"\n/,
    ],
    ["keys create --account x --name n", /--account: expected an integer .*, got "x"\n/],
  ];
  for (const [line, message] of some(wrong, 4)) {
    const { code, stdout, stderr } = await orbifold(env, ...line.split(" ").filter(Boolean));
    t.equal(code, 64, line);
    t.equal(stdout, "", line);
    t.match(stderr, message, line);
    t.match(stderr, /^.*\norbifold --help lists the commands and their options\n$/, line);
  }
});

t.test("exits with 78 and one line for an invalid variable", async (t) => {
  t.same(await orbifold({ PORT: "http" }, "accounts", "list"), {
    code: 78,
    stdout: "",
    stderr: 'orbifold: PORT: expected a whole number from 0 to 65535, got "http"\n',
  });
});

t.test("exits with 1 and one line for missing resources", async (t) => {
  const env = await prepare(t);
  const missing: readonly [string, RegExp][] = [
    ["accounts set 7 --frozen true", /^orbifold: there is no account 7\n$/],
    ["keys create --account 7 --name n", /^orbifold: there is no account 7\n$/],
    ["keys list --account 7", /^orbifold: there is no account 7\n$/],
    ["keys revoke 3 --account 7", /^orbifold: there is no API key 3 in this account\n$/],
    ["token --account 7", /^orbifold: there is no account 7\n$/],
  ];
  await Promise.all(
    some(missing, 2).map(async ([line, stderr]) => {
      t.match(await orbifold(env, ...line.split(" ")), { code: 1, stdout: "", stderr }, line);
    }),
  );
  const nowhere = { DATABASE_URL: "postgresql://u:hidden@127.0.0.1:1/db" };
  const { code, stderr } = await orbifold(nowhere, "migrate");
  t.equal(code, 1);
  t.match(stderr, /^orbifold: cannot reach PostgreSQL at 127\.0\.0\.1:1\/db: .*\n$/);
  t.notMatch(stderr, "hidden");
});

t.test("prints help and version without a database", async (t) => {
  const env = { DATABASE_URL: "postgresql://127.0.0.1:1/db" };
  t.match(await orbifold(env, "--version"), { code: 0, stdout: `${packageJson.version}\n` });
  const { code, stdout } = await orbifold(env, "--help");
  t.equal(code, 0);
  for (const word of ["accounts set ID", "keys revoke ID", "serve", "DATABASE_URL"]) {
    t.match(stdout, word);
  }
  const one = await orbifold(env, "accounts", "create", "--help");
  t.match(
    one.stdout,
    /^Usage: orbifold accounts create --email EMAIL --plan PLAN \[--credits CREDITS\]/,
  );
});

t.test("renders a pattern to a file", async (t) => {
  const env = await prepare(t);
  const create = ["accounts", "create", "--email", "ada@example.org", "--plan", "pro"];
  const account = await answer(t, env, ...create);
  const db = await openDatabase({ url: env.DATABASE_URL ?? "", dataDir: "" });
  t.teardown(() => db.close());
  const bytes = pngOf(photograph(96, 64));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const fields = { ...picture("").fields, sha256, width: 96, height: 64, has_alpha: false };
  const source = await db.sources.create(account.id, fields, bytes, 0);
  const design = { ...plainDesign("p6m"), source_id: source.id, name: null };
  const pattern = await db.patterns.create(account.id, design, 0);
  const out = join(env.DATA_DIR ?? "", "sheet.jpg");
  const render = ["render", "--account", `${account.id}`, "--pattern", `${pattern?.id}`];
  const wanted = { mode: "surface", surface_width: 300, surface_height: 200 };
  const asked = [...render, "--out", out, "--fields", JSON.stringify(wanted)];
  const made = await answer(t, env, ...asked);
  t.match(made, { file: out, width: 300, height: 200, format: "jpeg" });
  t.match(await sharp(out).metadata(), { width: 300, height: 200, format: "jpeg" });
  const wrong = [
    ["{", /--fields: .*JSON/],
    ['{"size": 3}', /--fields: .*size.*16/],
    ['{"mode": "surface"}', /surface_width/],
  ] as const;
  for (const [fields, issue] of some(wrong, 1)) {
    const { code, stderr } = await orbifold(env, ...render, "--out", out, "--fields", fields);
    t.equal(code, 64, stderr);
    t.match(stderr, issue);
  }
  const nobodys = ["render", "--account", "1", "--pattern", "99", "--out", out];
  t.match(await orbifold(env, ...nobodys), { code: 1, stderr: /there is no pattern 99/ });
});
