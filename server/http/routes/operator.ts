import Type from "typebox";
import { findAccount } from "../../actions/accounts.ts";
import {
  CreditList,
  Credits,
  DailyCreditList,
  DailyCredits,
  listCredits,
  listDailyCredits,
  toCreditsResponse,
} from "../../actions/credits.ts";
import { Id, PageOf, strict, toPageResponse } from "../../actions/fields.ts";
import {
  AccountChangeByOperator,
  AccountDetails,
  AccountSearch,
  AccountSummary,
  adjustByOperator,
  CreditAdjustment,
  changeByOperator,
  listOperatorActions,
  OperatorAction,
  OperatorActionList,
  searchAccounts,
  toAccountDetailsResponse,
  toAccountSummaryResponse,
  toOperatorActionResponse,
} from "../../actions/operator.ts";
import { route } from "../route.ts";

const path = "/api/v1/operator";

/**
 * Others get 403, not 404: the document names these paths anyhow, and an operator who was demoted is
 * told why. It comes before an id is looked up, so it tells nothing of accounts.
 */
const shared = { tag: "Operator", auth: "jwt", isForOperators: true, cost: 0 } as const;

const params = Type.Object({ id: Id }, strict);

/** All accounts, for operators. */
export const operatorRoutes = [
  route({
    ...shared,
    method: "GET",
    path: `${path}/accounts`,
    operationId: "listAccounts",
    summary: "List all accounts",
    description: "The newest first.",
    query: AccountSearch,
    responses: { 200: { description: "A page of accounts.", schema: PageOf(AccountSummary) } },
    async handler({ services, query }) {
      return {
        status: 200,
        json: toPageResponse(await searchAccounts(services, query), toAccountSummaryResponse),
      };
    },
  }),
  route({
    ...shared,
    method: "GET",
    path: `${path}/accounts/{id}`,
    operationId: "getAnyAccount",
    summary: "Get any account",
    params,
    responses: { 200: { description: "The account.", schema: AccountDetails } },
    async handler({ services, params: { id } }) {
      const account = await findAccount(services.db, id);
      return { status: 200, json: await toAccountDetailsResponse(services, account) };
    },
  }),
  route({
    ...shared,
    method: "PATCH",
    path: `${path}/accounts/{id}`,
    operationId: "updateAnyAccount",
    summary: "Freeze an account, or change its plan",
    description:
      "A frozen account is refused with `account_frozen`: its keys, its users' and guests' sessions and its signed URLs. Exports and mockups that are not done fail, events are not delivered. Nothing is deleted. You cannot freeze your own account.",
    params,
    body: AccountChangeByOperator,
    responses: { 200: { description: "The account as it is now.", schema: AccountDetails } },
    problems: ["conflict"],
    async handler({ services, account: operator, params: { id }, body }) {
      const account = await changeByOperator(services, operator, id, body);
      return { status: 200, json: await toAccountDetailsResponse(services, account) };
    },
  }),
  route({
    ...shared,
    method: "POST",
    path: `${path}/accounts/{id}/credits`,
    operationId: "adjustCredits",
    summary: "Add credits to an account, or remove them",
    description: "409 `conflict` where the balance would fall below 0.",
    isIdempotent: true,
    params,
    body: CreditAdjustment,
    responses: { 200: { description: "The account as it is now.", schema: AccountDetails } },
    problems: ["conflict"],
    async handler({ services, account: operator, params: { id }, body }) {
      const account = await adjustByOperator(services, operator, id, body);
      return { status: 200, json: await toAccountDetailsResponse(services, account) };
    },
  }),
  route({
    ...shared,
    method: "GET",
    path: `${path}/accounts/{id}/credits`,
    operationId: "listAnyCredits",
    summary: "List the credit history of an account",
    params,
    query: CreditList,
    responses: { 200: { description: "The balance and a page of its history.", schema: Credits } },
    async handler({ services, params: { id }, query }) {
      const account = await findAccount(services.db, id);
      const page = await listCredits(services, account, query);
      return { status: 200, json: toCreditsResponse(account, page) };
    },
  }),
  route({
    ...shared,
    method: "GET",
    path: `${path}/accounts/{id}/credits/daily`,
    operationId: "listAnyDailyCredits",
    summary: "List what an account spent each day",
    params,
    query: DailyCreditList,
    responses: { 200: { description: "Spent and received credits.", schema: DailyCredits } },
    async handler({ services, params: { id }, query }) {
      const account = await findAccount(services.db, id);
      return { status: 200, json: await listDailyCredits(services, account, query) };
    },
  }),
  route({
    ...shared,
    method: "GET",
    path: `${path}/actions`,
    operationId: "listOperatorActions",
    summary: "List what operators did",
    description: "Here and at the command line, the newest first.",
    query: OperatorActionList,
    responses: { 200: { description: "A page of actions.", schema: PageOf(OperatorAction) } },
    async handler({ services, query }) {
      return {
        status: 200,
        json: toPageResponse(await listOperatorActions(services, query), toOperatorActionResponse),
      };
    },
  }),
];
