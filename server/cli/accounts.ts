/** `orbifold accounts …` */
import Type from "typebox";
import { changeAccount, createAccount } from "../actions/accounts.ts";
import { command } from "./command.ts";
import * as options from "./options.ts";
import { table } from "./table.ts";

type Account = Awaited<ReturnType<typeof createAccount>>;

function accountTable(accounts: readonly Account[]): string {
  const rows = accounts.map(({ id, email, plan, credits, frozen, created_at }) => [
    id,
    email,
    plan,
    credits,
    frozen ? "yes" : "no",
    created_at,
  ]);
  return table([["ID", "E-MAIL", "PLAN", "CREDITS", "FROZEN", "CREATED"], ...rows]);
}

const show = (account: Account) => ({ text: accountTable([account]), json: account });

export const accountCommands = [
  command({
    words: "accounts create",
    summary: "make an account",
    options: {
      email: Type.String({ description: "its e-mail address" }),
      plan: options.plan,
      credits: Type.Optional(options.credits),
    },
    run: async (context, fields) => show(await createAccount(await context.database(), fields)),
  }),
  command({
    words: "accounts list",
    summary: "list all accounts",
    options: {},
    run: async (context) => {
      const accounts = await (await context.database()).accounts.list();
      return { text: accountTable(accounts), json: accounts };
    },
  }),
  command({
    words: "accounts set",
    summary: "change an account",
    options: {
      id: options.account,
      plan: Type.Optional(options.plan),
      credits: Type.Optional(options.credits),
      frozen: Type.Optional(Type.Boolean({ description: "true or false" })),
    },
    run: async (context, { id, ...fields }) =>
      show(await changeAccount(await context.database(), id, fields)),
  }),
];
