/** Accounts as their owners see and update them. */
import Type, { type Static } from "typebox";
import { type Account as AccountRow, DEFAULT_QUOTAS, PLANS, QUOTAS } from "../../db/index.ts";
import { ownerOf } from "./accounts.ts";
import { InvalidInput, issueAt, requireFound } from "./errors.ts";
import { Id, strict, Timestamp } from "./fields.ts";
import { isReturnOrigin } from "./origins.ts";
import type { Services } from "./services.ts";
import { Role } from "./sessions.ts";

export const LowCreditThreshold = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  examples: [10],
  description: "Number of credits below which the balance is low.",
});

export const PlanName = Type.Enum([...PLANS]);

export const summaryExample = {
  id: 4,
  email: "ada@example.com",
  email_verified: true,
  role: "owner",
  plan: "pro",
  credits: 87,
  frozen: false,
};

export const accountExample = {
  ...summaryExample,
  low_credit_threshold: 10,
  return_origins: ["https://shop.example"],
  created_at: "2026-01-31T12:00:00.000Z",
  usage: {
    sources: 6,
    source_bytes: 4_812_760,
    patterns: 11,
    api_keys: 2,
    output_bytes: 9_437_184,
    pinned_renders: 14,
    batch_items: 240,
    open_batches: 1,
    body_bytes_in_flight: 0,
    renders_in_flight: 2,
  },
  limits: DEFAULT_QUOTAS.pro,
};

export const Account = Type.Object(
  {
    id: Id,
    email: Type.String(),
    email_verified: Type.Boolean({
      description: "Whether the link that was sent to the address has been opened.",
    }),
    role: Role,
    plan: PlanName,
    credits: Type.Integer({ description: "Balance; a generation call costs 1." }),
    frozen: Type.Boolean(),
    low_credit_threshold: LowCreditThreshold,
    return_origins: Type.Array(Type.String(), {
      description: "Origins that customers may be sent back to; empty: any https origin.",
    }),
    created_at: Timestamp,
    usage: Type.Object(
      {
        sources: Type.Integer(),
        source_bytes: Type.Integer(),
        patterns: Type.Integer(),
        api_keys: Type.Integer(),
        output_bytes: Type.Integer({
          description: "Bytes of exports and mockups; unfinished ones count with an estimate.",
        }),
        pinned_renders: Type.Integer({
          description: "Images with a signed URL that has not expired.",
        }),
        batch_items: Type.Integer({ description: "Items of batches that are not deleted." }),
        open_batches: Type.Integer({ description: "Batches that are queued or running." }),
        body_bytes_in_flight: Type.Integer({
          description: "Bytes of request bodies, including this request's.",
        }),
        renders_in_flight: Type.Integer({ description: "Renders that are queued or running." }),
      },
      {
        ...strict,
        description: "Usage of each quota; what is in flight counts for this process.",
      },
    ),
    limits: Type.Object(Object.fromEntries(QUOTAS.map((quota) => [quota, Type.Integer()])), {
      ...strict,
      description:
        "The quotas of the plan. A request that would exceed a stored quota fails with `quota_exceeded`, one that would exceed a quota in flight with `rate_limited`.",
    }),
  },
  {
    ...strict,
    description: "The billed account: plan, credits and settings.",
    examples: [accountExample],
  },
);
export type Account = Static<typeof Account>;

/** Returns the fields of an account that the list of all accounts shows as well. */
export function summaryFields({ id, email, role, plan, credits, frozen, ...row }: AccountRow) {
  const email_verified = row.email_verified_at !== null;
  return { id, email, email_verified, role, plan, credits, frozen };
}

/** Returns the account with its usage and limits, as the API represents it. */
export async function toAccountResponse(
  { db, bodies, rendersInFlight }: Pick<Services, "db" | "bodies" | "rendersInFlight">,
  row: AccountRow,
): Promise<Account> {
  const owner = ownerOf(row.id);
  return {
    ...summaryFields(row),
    low_credit_threshold: row.low_credit_threshold,
    return_origins: [...row.return_origins],
    created_at: row.created_at.toISOString(),
    usage: {
      ...(await db.accounts.usage(row.id)),
      body_bytes_in_flight: bodies.inFlight.of(owner),
      renders_in_flight: rendersInFlight.of(owner),
    },
    limits: db.quotas[row.plan],
  };
}

export const AccountChanges = Type.Partial(
  Type.Object({
    low_credit_threshold: LowCreditThreshold,
    return_origins: Type.Array(Type.String({ maxLength: 300 }), {
      maxItems: 100,
      examples: [["https://shop.example"]],
      description:
        "Origins that customers may be sent back to: https, or http for loopback. Empty: any of these. Pages of listed origins may also call the API with the token of a guest session.",
    }),
  }),
  {
    ...strict,
    examples: [{ low_credit_threshold: 20, return_origins: ["https://shop.example"] }],
    description: "Omitted fields stay unchanged.",
  },
);

const ORIGIN = "an origin such as https://shop.example";

/** Updates the given settings. Throws InvalidInput for an origin that is not allowed. */
export async function updateAccount(
  { db }: Services,
  accountId: number,
  changes: Static<typeof AccountChanges>,
): Promise<AccountRow> {
  const issues = (changes.return_origins ?? []).flatMap((origin, index) =>
    isReturnOrigin(origin) ? [] : [issueAt(`/return_origins/${index}`, origin, ORIGIN)],
  );
  if (issues.length > 0) throw new InvalidInput(issues);
  return requireFound(await db.accounts.update(accountId, changes), `account ${accountId}`);
}
