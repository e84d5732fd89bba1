/** `orbifold credits …` and `orbifold usage` */
import Type from "typebox";
import { adjustCredits, findAccount } from "../actions/accounts.ts";
import { command } from "./command.ts";
import * as options from "./options.ts";
import { table } from "./table.ts";

const amount = Type.Integer({
  minimum: 1,
  maximum: 1_000_000_000,
  description: "number of credits",
});

const note = Type.String({ minLength: 1, maxLength: 500, description: "why, for the history" });

/** A command that changes the balance; `sign` is 1 or -1. */
const adjustment = (name: string, summary: string, sign: number) =>
  command({
    name,
    summary,
    options: { account: options.account, amount, note: Type.Optional(note) },
    run: async (context, { account: id, amount, note }) => {
      const database = await context.database();
      const account = await adjustCredits(database, id, sign * amount, { note });
      return { text: `account ${id} has ${account.credits} credits`, json: account };
    },
  });

export const creditCommands = [
  adjustment("credits add", "add credits to an account", 1),
  adjustment("credits remove", "remove credits from an account", -1),
  command({
    name: "usage",
    summary: "show the usage of accounts",
    options: { account: Type.Optional(options.account) },
    run: async (context, { account }) => {
      const database = await context.database();
      const { accounts } = database;
      const chosen =
        account === undefined ? await accounts.list() : [await findAccount(database, account)];
      const rows = [];
      for (const { id, email, plan, credits } of chosen) {
        rows.push({ account_id: id, email, plan, credits, ...(await accounts.usage(id)) });
      }
      const heads = Object.keys(rows[0] ?? {}).map((name) =>
        name.toUpperCase().replaceAll("_", " "),
      );
      return { text: table([heads, ...rows.map((row) => Object.values(row))]), json: rows };
    },
  }),
];
