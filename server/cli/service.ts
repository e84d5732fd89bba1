/** `orbifold serve`, `mcp`, `token` and `migrate`. */
import { findCredentials } from "../actions/accounts.ts";
import { command } from "./command.ts";
import * as options from "./options.ts";

export const serviceCommands = [
  command({
    name: "serve",
    summary: "run the service until it is stopped",
    createsDatabase: true,
    options: {},
    run: async (context) => {
      await context.serve();
      return null;
    },
  }),
  command({
    name: "mcp",
    summary: "serve MCP over standard input and output with the key in SERVICE_API_KEY",
    options: {},
    run: async (context) => {
      await context.serveStdio();
      return null;
    },
  }),
  command({
    name: "token",
    summary: "create a user session token (JWT) for 12 hours",
    options: { account: options.account },
    run: async (context, { account }) => {
      const tokens = await context.tokens();
      const { id, token_version } = await findCredentials(await context.database(), account);
      const { token, expiresAt } = await tokens.sign(id, token_version);
      return { text: token, json: { token, expires_at: expiresAt } };
    },
  }),
  command({
    name: "migrate",
    summary: "migrate the database to this version",
    createsDatabase: true,
    options: {},
    run: async (context) => {
      const { description } = await context.database();
      return { text: `${description} is up to date`, json: { database: description } };
    },
  }),
];
