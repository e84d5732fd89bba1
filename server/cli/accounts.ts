/** `orbifold accounts …` */
import Type from "typebox";
import { Value } from "typebox/value";
import {
  AccountNotFound,
  changeAccount,
  createAccount,
  findAccount,
  setPassword,
} from "../actions/accounts.ts";
import { Password } from "../actions/sessions.ts";
import { UsageError } from "./arguments.ts";
import { command } from "./command.ts";
import * as options from "./options.ts";
import { table } from "./table.ts";

type Account = Awaited<ReturnType<typeof createAccount>>;

function accountTable(accounts: readonly Account[]): string {
  const rows = accounts.map(({ id, email, role, plan, credits, frozen, created_at }) => [
    id,
    email,
    role,
    plan,
    credits,
    frozen ? "yes" : "no",
    created_at,
  ]);
  return table([["ID", "E-MAIL", "ROLE", "PLAN", "CREDITS", "FROZEN", "CREATED"], ...rows]);
}

/** An account, or what it holds, as names and values. */
function factTable(facts: Readonly<Record<string, unknown>>): string {
  const shown = (value: unknown) => (Array.isArray(value) ? value.join(" ") || null : value);
  return table(Object.entries(facts).map(([name, value]) => [name, shown(value)]));
}

const show = (account: Account) => ({ text: accountTable([account]), json: account });

export const accountCommands = [
  command({
    name: "accounts create",
    summary: "create an account",
    createsDatabase: true,
    options: {
      email: Type.String({ description: "e-mail address" }),
      plan: options.plan,
      credits: Type.Optional(options.credits),
    },
    run: async (context, fields) => show(await createAccount(await context.database(), fields)),
  }),
  command({
    name: "accounts list",
    summary: "list all accounts",
    options: {},
    run: async (context) => {
      const accounts = await (await context.database()).accounts.list();
      return { text: accountTable(accounts), json: accounts };
    },
  }),
  command({
    name: "accounts set",
    summary: "change an account",
    options: {
      id: options.account,
      role: Type.Optional(options.role),
      plan: Type.Optional(options.plan),
      credits: Type.Optional(options.credits),
      frozen: Type.Optional(Type.Boolean({ description: "true or false" })),
    },
    run: async (context, { id, ...fields }) =>
      show(await changeAccount(await context.database(), id, fields)),
  }),
  command({
    name: "accounts show",
    summary: "show an account and its usage",
    options: { id: options.account },
    run: async (context, { id }) => {
      const database = await context.database();
      const account = await findAccount(database, id);
      const usage = await database.accounts.usage(id);
      return { text: factTable({ ...account, ...usage }), json: { ...account, usage } };
    },
  }),
  command({
    name: "accounts password",
    summary:
      "set the password of an account, from the terminal or standard input; revokes its tokens",
    options: { id: options.account },
    run: async (context, { id }) => {
      const database = await context.database();
      const { email } = await findAccount(database, id);
      const password = await context.prompter.readSecret(`New password of ${email}`);
      if (!Value.Check(Password, password)) {
        throw new UsageError("expected a password of at least 8 characters on standard input");
      }
      await setPassword(database, id, password);
      return {
        text: `the password of account ${id} is set and its tokens are revoked`,
        json: { id, password_set: true, tokens_revoked: true },
      };
    },
  }),
  command({
    name: "accounts delete",
    summary: "delete an account with all its sources, patterns, files, keys and webhooks",
    options: {
      id: options.account,
      yes: Type.Optional(Type.Literal(true, { description: "do not ask for confirmation" })),
    },
    run: async (context, { id, yes }) => {
      const database = await context.database();
      const { email } = await findAccount(database, id);
      const { sources, patterns } = await database.accounts.usage(id);
      const question = `Delete account ${id} (${email}) with ${sources} sources and ${patterns} patterns?`;
      if (!yes && !(await context.prompter.confirm(question))) {
        return { text: "nothing is deleted", json: { id, deleted: false } };
      }
      if (!(await database.accounts.delete(id))) throw new AccountNotFound(id);
      return { text: `account ${id} is deleted`, json: { id, deleted: true } };
    },
  }),
];
