import {
  Account,
  AccountChanges,
  toAccountResponse,
  updateAccount,
} from "../../actions/account-settings.ts";
import {
  CreditList,
  Credits,
  DailyCreditList,
  DailyCredits,
  listCredits,
  listDailyCredits,
  toCreditsResponse,
} from "../../actions/credits.ts";
import { AccountDeletion, deleteOwnAccount } from "../../actions/sessions.ts";
import { route } from "../route.ts";

const tag = "Account";
const path = "/api/v1/account";

/** The calling account. */
export const accountRoutes = [
  route({
    method: "GET",
    path,
    tag,
    operationId: "getAccount",
    summary: "Get your account",
    auth: "any",
    responses: { 200: { description: "The account.", schema: Account } },
    cost: 0,
    async handler({ services, account }) {
      return { status: 200, json: await toAccountResponse(services, account) };
    },
  }),
  route({
    method: "PATCH",
    path,
    tag,
    operationId: "updateAccount",
    summary: "Update your account",
    auth: "any",
    body: AccountChanges,
    responses: { 200: { description: "The account as it is now.", schema: Account } },
    cost: 0,
    async handler({ services, account, body }) {
      const changed = await updateAccount(services, account.id, body);
      return { status: 200, json: await toAccountResponse(services, changed) };
    },
  }),
  route({
    method: "POST",
    path: `${path}/delete`,
    tag,
    operationId: "deleteAccount",
    summary: "Delete your account",
    description:
      "Takes the password, and never an API key. Deletes sources, patterns, exports, mockups, keys, webhooks with their deliveries, handoffs and the credit history, at once and for good. Exports that are being made end. Keys, sessions of users and guests, and MCP sessions are refused with 401 from then on, signed URLs with 410. If the service sends mail, it tells your address.",
    auth: "jwt",
    body: AccountDeletion,
    responses: { 204: { description: "The account is deleted." } },
    problems: ["not_found"],
    cost: 0,
    async handler({ services, account, body }) {
      await deleteOwnAccount(services, account, body);
      return { status: 204 };
    },
  }),
  route({
    method: "GET",
    path: `${path}/credits`,
    tag,
    operationId: "listCredits",
    summary: "List your credit history",
    auth: "any",
    query: CreditList,
    responses: { 200: { description: "The balance and a page of its history.", schema: Credits } },
    cost: 0,
    async handler({ services, account, query }) {
      return {
        status: 200,
        json: toCreditsResponse(account, await listCredits(services, account, query)),
      };
    },
  }),
  route({
    method: "GET",
    path: `${path}/credits/daily`,
    tag,
    operationId: "listDailyCredits",
    summary: "List what you spent each day",
    auth: "any",
    query: DailyCreditList,
    responses: { 200: { description: "Spent and received credits.", schema: DailyCredits } },
    cost: 0,
    async handler({ services, account, query }) {
      return { status: 200, json: await listDailyCredits(services, account, query) };
    },
  }),
];
