/** `orbifold keys …` */
import Type from "typebox";
import { findAccount } from "../actions/accounts.ts";
import { createApiKey } from "../actions/api-keys.ts";
import { NotFound } from "../actions/errors.ts";
import { command } from "./command.ts";
import * as options from "./options.ts";
import { table } from "./table.ts";

type ApiKey = Awaited<ReturnType<typeof createApiKey>>["key"];

function keyTable(keys: readonly ApiKey[]): string {
  const rows = keys.map(({ id, name, prefix, last_four, scopes, created_at, last_used_at }) => [
    id,
    name,
    `${prefix}…${last_four}`,
    scopes?.join(" ") ?? "all",
    created_at,
    last_used_at,
  ]);
  return table([["ID", "NAME", "KEY", "SCOPES", "CREATED", "LAST USED"], ...rows]);
}

export const keyCommands = [
  command({
    name: "keys create",
    summary: "create an API key; its secret is shown only once",
    options: {
      account: options.account,
      name: Type.String({ minLength: 1, maxLength: 100, description: "name of the key" }),
    },
    run: async (context, { account, name }) => {
      const database = await context.database();
      await findAccount(database, account);
      const { key, secret } = await createApiKey(database, account, name);
      return { text: secret, json: { ...key, secret } };
    },
  }),
  command({
    name: "keys list",
    summary: "list an account's keys",
    options: { account: options.account },
    run: async (context, { account }) => {
      const database = await context.database();
      await findAccount(database, account);
      const keys = await database.apiKeys.list(account);
      return { text: keyTable(keys), json: keys };
    },
  }),
  command({
    name: "keys revoke",
    summary: "revoke a key",
    options: { id: options.id("id of the key"), account: options.account },
    run: async (context, { id, account }) => {
      const database = await context.database();
      if (!(await database.apiKeys.revoke(account, id))) throw new NotFound(`API key ${id}`);
      return { text: `key ${id} is revoked`, json: { id, revoked: true } };
    },
  }),
];
