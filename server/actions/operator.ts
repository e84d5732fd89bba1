/** What operators see of all accounts, and do to them. */
import Type, { type Static } from "typebox";
import {
  type Account as AccountRow,
  type FoundAccount,
  OPERATOR_ACTIONS,
  type OperatorAction as OperatorActionRow,
  type Page,
} from "../../db/index.ts";
import {
  Account,
  accountExample,
  PlanName,
  summaryExample,
  summaryFields,
  toAccountResponse,
} from "./account-settings.ts";
import { adjustCredits, changeAccount, findAccount } from "./accounts.ts";
import { Conflict, InvalidInput, issueAt } from "./errors.ts";
import type { FailureCode } from "./failures.ts";
import { Id, Name, pageFields, readCursor, SearchText, strict, Timestamp } from "./fields.ts";
import type { Services } from "./services.ts";
import { Role } from "./sessions.ts";

/** The caller is no operator. */
export class OperatorRequired extends Error {
  override readonly name = "OperatorRequired";
  readonly code = "operator_required" satisfies FailureCode;
  constructor() {
    super("only operators of this service may do that");
  }
}

/** Throws OperatorRequired for an owner's account. */
export function requireOperator({ role }: AccountRow): void {
  if (role !== "operator") throw new OperatorRequired();
}

const LastUse = Type.Union([Timestamp, Type.Null()], {
  description:
    "Time of the last request: to the minute for API keys, to the hour for users; null if never.",
});

const Note = Type.Optional(
  Type.String({
    ...Name(500),
    examples: ["Refund of order 81"],
    description:
      "Reason, shown in the list of operator actions and, for credits, in the account's history.",
  }),
);

export const AccountSummary = Type.Object(
  {
    id: Id,
    email: Type.String(),
    email_verified: Type.Boolean(),
    role: Role,
    plan: PlanName,
    credits: Type.Integer({ description: "Balance." }),
    frozen: Type.Boolean(),
    created_at: Timestamp,
    last_used_at: LastUse,
  },
  {
    ...strict,
    description: "An account in the list of all.",
    examples: [
      {
        ...summaryExample,
        created_at: "2026-01-31T12:00:00.000Z",
        last_used_at: "2026-02-03T09:30:00.000Z",
      },
    ],
  },
);
export type AccountSummary = Static<typeof AccountSummary>;

/** Returns an account of the list as the API represents it. */
export function toAccountSummaryResponse(row: FoundAccount): AccountSummary {
  return {
    ...summaryFields(row),
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

export const AccountSearch = Type.Object(
  {
    ...pageFields,
    search: Type.Optional(SearchText("A part of the e-mail address, or the id.")),
    plan: Type.Optional(PlanName),
    frozen: Type.Optional(Type.Boolean()),
  },
  strict,
);

/** Returns a page of all accounts, newest first. Throws InvalidInput for an invalid cursor. */
export async function searchAccounts(
  { db }: Services,
  { cursor, limit, ...filter }: Static<typeof AccountSearch>,
): Promise<Page<FoundAccount>> {
  return db.accounts.search(filter, { ...readCursor(cursor), limit });
}

export const AccountDetails = Type.Object(
  { ...Account.properties, last_used_at: LastUse },
  {
    ...strict,
    description: "An account as operators see it.",
    examples: [{ ...accountExample, last_used_at: "2026-02-03T09:30:00.000Z" }],
  },
);
export type AccountDetails = Static<typeof AccountDetails>;

/** Returns an account as the API represents it to operators. */
export async function toAccountDetailsResponse(
  services: Services,
  row: AccountRow,
): Promise<AccountDetails> {
  const lastUse = await services.db.accounts.lastUse(row.id);
  return {
    ...(await toAccountResponse(services, row)),
    last_used_at: lastUse?.toISOString() ?? null,
  };
}

export const AccountChangeByOperator = Type.Object(
  { plan: Type.Optional(PlanName), frozen: Type.Optional(Type.Boolean()), note: Note },
  {
    ...strict,
    examples: [{ frozen: true, note: "Unpaid since March" }],
    description: "Omitted fields stay unchanged.",
  },
);

/**
 * Changes the plan of an account, freezes it, which ends its jobs, or lifts that. Throws
 * AccountNotFound, Conflict where operators would freeze themselves.
 */
export async function changeByOperator(
  { db }: Services,
  operator: AccountRow,
  id: number,
  { note, ...fields }: Static<typeof AccountChangeByOperator>,
): Promise<AccountRow> {
  if (fields.frozen && id === operator.id) throw new Conflict("you cannot freeze your own account");
  return changeAccount(db, id, fields, { operatorId: operator.id, note });
}

/** Largest change of a balance. */
const MOST = 1_000_000_000;

export const CreditAdjustment = Type.Object(
  {
    amount: Type.Integer({
      minimum: -MOST,
      maximum: MOST,
      examples: [50],
      description: "Credits to add; negative: to remove. Not 0.",
    }),
    note: Note,
  },
  strict,
);

/**
 * Adds credits to an account, or removes them. Throws AccountNotFound, Conflict if it has too few,
 * InvalidInput for 0.
 */
export async function adjustByOperator(
  { db }: Services,
  operator: AccountRow,
  id: number,
  { amount, note }: Static<typeof CreditAdjustment>,
): Promise<AccountRow> {
  if (amount === 0) {
    throw new InvalidInput([issueAt("/amount", amount, "a number of credits other than 0")]);
  }
  await findAccount(db, id);
  return adjustCredits(db, id, amount, { operatorId: operator.id, note });
}

const Whose = (description: string) =>
  Type.Object(
    {
      id: Id,
      email: Type.Union([Type.String(), Type.Null()], {
        description: "Null: the account was deleted since.",
      }),
    },
    { ...strict, description },
  );

export const OperatorAction = Type.Object(
  {
    id: Id,
    action: Type.Enum([...OPERATOR_ACTIONS]),
    account: Whose("The account that it was done to."),
    operator: Type.Union([Whose("Who did it."), Type.Null()], {
      description: "Null for an action on the command line.",
    }),
    details: Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()]), {
      description: "`from` and `to` of a plan or a role; `amount` and `balance` of credits.",
    }),
    note: Type.Union([Type.String(), Type.Null()], { description: "Why." }),
    created_at: Timestamp,
  },
  {
    ...strict,
    description: "What an operator did to an account. Entries are immutable.",
    examples: [
      {
        id: 9,
        action: "credits_changed",
        account: { id: 4, email: "ada@example.com" },
        operator: { id: 1, email: "operator@example.com" },
        details: { amount: 50, balance: 137 },
        note: "Refund of order 81",
        created_at: "2026-01-31T12:00:00.000Z",
      },
    ],
  },
);
export type OperatorAction = Static<typeof OperatorAction>;

/** Returns an action as the API represents it. */
export function toOperatorActionResponse(row: OperatorActionRow): OperatorAction {
  const { id, action, account_id, email, operator_id, operator_email, details, note } = row;
  return {
    id,
    action,
    account: { id: account_id, email },
    operator: operator_id === null ? null : { id: operator_id, email: operator_email },
    details,
    note,
    created_at: row.created_at.toISOString(),
  };
}

export const OperatorActionList = Type.Object(
  {
    ...pageFields,
    account_id: Type.Optional(Type.Integer({ ...Id, description: "Only those on this account." })),
  },
  strict,
);

/** Returns a page of what operators did, newest first. Throws InvalidInput for an invalid cursor. */
export async function listOperatorActions(
  { db }: Services,
  { cursor, limit, account_id }: Static<typeof OperatorActionList>,
): Promise<Page<OperatorActionRow>> {
  return db.operatorActions.list(account_id ?? null, { ...readCursor(cursor), limit });
}
