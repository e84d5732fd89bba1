/** `orbifold webhooks list` and `orbifold jobs list` */
import Type from "typebox";
import { findAccount } from "../actions/accounts.ts";
import { JOB_STATES } from "../actions/services.ts";
import { command } from "./command.ts";
import * as options from "./options.ts";
import { table } from "./table.ts";

export const listCommands = [
  command({
    name: "webhooks list",
    summary: "list an account's webhooks",
    options: { account: options.account },
    run: async (context, { account }) => {
      const database = await context.database();
      await findAccount(database, account);
      const webhooks = await database.webhooks.list(account);
      const rows = webhooks.map(({ id, url, events, disabled_reason, created_at }) => [
        id,
        url,
        events.join(" "),
        disabled_reason,
        created_at,
      ]);
      return {
        text: table([["ID", "URL", "EVENTS", "DISABLED", "CREATED"], ...rows]),
        json: webhooks,
      };
    },
  }),
  command({
    name: "jobs list",
    summary: "list jobs, newest first: uncompleted ones, or those in one state",
    options: {
      state: Type.Optional(
        Type.Enum([...JOB_STATES], { description: `one of ${JOB_STATES.join(", ")}` }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 10_000, description: "maximum number of jobs (100)" }),
      ),
    },
    run: async (context, { state, limit = 100 }) => {
      const jobs = await (await context.database()).listJobs({ state, limit });
      const rows = jobs.map(({ id, queue, state, tries, created_at, start_after, data }) => [
        id,
        queue,
        state,
        tries,
        created_at,
        start_after,
        JSON.stringify(data),
      ]);
      const heads = ["ID", "QUEUE", "STATE", "TRIES", "CREATED", "DUE", "DATA"];
      return { text: table([heads, ...rows]), json: jobs };
    },
  }),
];
