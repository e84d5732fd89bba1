/** Handoffs: a shop sends a customer to the editor, as a guest, and gets a pattern back. */
import { createHash, randomBytes } from "node:crypto";
import Type, { type Static } from "typebox";
import type { Account, Handoff } from "../../db/index.ts";
import { requireActive, requireProgrammaticPlan } from "./accounts.ts";
import { DeadHandoff, InvalidInput, issueAt, requireFound } from "./errors.ts";
import { Id, strict } from "./fields.ts";
import { isSafe } from "./origins.ts";
import type { Services } from "./services.ts";

/** How long the link works. */
const LIFETIME_SECONDS = 24 * 60 * 60;

export const NewHandoff = Type.Object(
  {
    product_id: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      examples: [4711],
      description: "The shop's own number of the product.",
    }),
    return_url: Type.String({
      minLength: 1,
      maxLength: 2000,
      examples: ["https://shop.example/products/4711?variant=blue"],
      description:
        "Where the customer goes back to, with `pf_pattern_id` added: https, or http for loopback, and of one of the account's `return_origins` where it names any.",
    }),
    max_patterns: Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 20,
      description:
        "How many credits the customer's session may spend: a pattern costs 1, and so does a source from a preset. As many pictures may be uploaded.",
    }),
  },
  strict,
);

/**
 * Makes a handoff and the token that opens it, which is kept only as its hash. Throws InvalidInput
 * for an address that customers may not be sent back to.
 */
export async function createHandoff(
  { db }: Services,
  account: Account,
  { product_id, return_url, max_patterns }: Static<typeof NewHandoff>,
): Promise<{ readonly handoff: Handoff; readonly token: string }> {
  const token = randomBytes(32).toString("base64url");
  const handoff = await db.handoffs.create(account.id, {
    tokenHash: handoffHash(token),
    product_id,
    max_patterns,
    return_url: checkReturn(return_url, account.return_origins),
    lifetimeSeconds: LIFETIME_SECONDS,
  });
  return { handoff, token };
}

/** What of a handoff's token is kept. */
function handoffHash(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
}

/** The address as browsers will understand it. Throws InvalidInput. */
function checkReturn(text: string, origins: readonly string[]): string {
  const url = URL.parse(text);
  const isPlain = url !== null && isSafe(url) && url.username === "" && url.password === "";
  if (isPlain && (origins.length === 0 || origins.includes(url.origin))) return url.href;
  const expected =
    origins.length > 0 ? `an address of ${origins.join(" or ")}` : "an https:// address of a shop";
  const issue = issueAt("/return_url", text, expected, "is no address to go back to");
  throw new InvalidInput([issue]);
}

export const OpenHandoff = Type.Object(
  {
    handoff: Type.String({
      minLength: 1,
      maxLength: 200,
      examples: ["k3nZ1uXn0yq4cE6bq1Jx8v3m0Q2a7dR5tYw9LhPsGfE"],
      description: "The token in the editor's address. It works once.",
    }),
  },
  strict,
);

export interface OpenedHandoff {
  readonly handoff: Handoff;
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Begins a guest's session. Throws DeadHandoff for a token that is unknown, used or expired,
 * AccountFrozen, PlanRequired.
 */
export async function openHandoff(
  { db, guests }: Services,
  { handoff: token }: Static<typeof OpenHandoff>,
): Promise<OpenedHandoff> {
  const waiting = await db.handoffs.waiting(handoffHash(token));
  const account = waiting && (await db.accounts.byId(waiting.account_id));
  if (!account) throw new DeadHandoff();
  requireActive(account);
  requireProgrammaticPlan(account);
  // Only now is the token used up: the customer may come again once the account is in order.
  const handoff = await db.handoffs.open(waiting.id);
  if (!handoff) throw new DeadHandoff();
  return {
    handoff,
    ...(await guests.sign({ accountId: account.id, handoffId: handoff.id })),
  };
}

export const FinishHandoff = Type.Object({ pattern_id: Id }, strict);

/**
 * Ends a handoff with a pattern that was made in it. Gives the address to go back to. Throws
 * NotFound for any other pattern.
 */
export async function finishHandoff(
  { db }: Services,
  accountId: number,
  handoffId: number,
  { pattern_id }: Static<typeof FinishHandoff>,
): Promise<string> {
  const handoff = await db.handoffs.finish(accountId, handoffId, pattern_id);
  const { return_url } = requireFound(handoff, `pattern ${pattern_id}`);
  return withPattern(return_url, pattern_id);
}

/**
 * The address with `pf_pattern_id` in its query. What else stands there is kept as it is written; a
 * `pf_pattern_id` of an earlier way back is replaced.
 */
export function withPattern(returnUrl: string, patternId: number): string {
  const url = new URL(returnUrl);
  const others = url.search
    .slice(1)
    .split("&")
    .filter((part) => part !== "" && !/^pf_pattern_id(=|$)/.test(part));
  // Not URLSearchParams: it would write the shop's own query anew.
  url.search = [...others, `pf_pattern_id=${patternId}`].join("&");
  return url.href;
}
