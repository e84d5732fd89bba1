/** Handoffs: a shop sends a customer to the editor as a guest, who returns with a pattern. */
import { createHash, randomBytes } from "node:crypto";
import Type, { type Static } from "typebox";
import type { Account, Handoff } from "../../db/index.ts";
import { requireActive, requireProgrammaticPlan } from "./accounts.ts";
import { InvalidHandoffToken, InvalidInput, issueAt, requireFound } from "./errors.ts";
import { Id, Moment, strict } from "./fields.ts";
import { isSafe } from "./origins.ts";
import type { Services } from "./services.ts";

/** Lifetime of the link. */
const LIFETIME_SECONDS = 24 * 60 * 60;

export const NewHandoff = Type.Object(
  {
    product_id: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      examples: [4711],
      description: "The shop's product id.",
    }),
    return_url: Type.String({
      minLength: 1,
      maxLength: 2000,
      examples: ["https://shop.example/products/4711?variant=blue"],
      description:
        "URL that the customer returns to, with `pf_pattern_id` added: https, or http for loopback, with one of the account's `return_origins` if it has any.",
    }),
    max_patterns: Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 20,
      description:
        "Number of credits the customer's session may spend: a pattern costs 1, and so does a source from a preset. The same number of images may be uploaded.",
    }),
  },
  strict,
);

/**
 * Creates a handoff and its token, of which only the hash is stored. Throws InvalidInput for a URL
 * that customers may not be sent back to.
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

/** Returns the hash that is stored of a handoff's token. */
function handoffHash(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
}

/** Returns the URL as browsers parse it. Throws InvalidInput. */
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
      description: "The token in the editor's URL. It works once.",
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
 * Starts a guest session. Throws InvalidHandoffToken for a token that is unknown, used or expired,
 * AccountFrozen, PlanRequired.
 */
export async function openHandoff(
  { db, guests }: Services,
  { handoff: token }: Static<typeof OpenHandoff>,
): Promise<OpenedHandoff> {
  const waiting = await db.handoffs.waiting(handoffHash(token));
  const account = waiting && (await db.accounts.byId(waiting.account_id));
  if (!account) throw new InvalidHandoffToken();
  requireActive(account);
  requireProgrammaticPlan(account);
  // The token is consumed only now, so that the customer can retry once the account is in order.
  const handoff = await db.handoffs.open(waiting.id);
  if (!handoff) throw new InvalidHandoffToken();
  return {
    handoff,
    ...(await guests.sign({ accountId: account.id, handoffId: handoff.id })),
  };
}

export const ReturnUrl = Type.String({
  format: "uri",
  examples: ["https://shop.example/products/4711?variant=blue"],
});

export const MaxPatterns = Type.Integer({
  examples: [20],
  description:
    "Creations that cost credits, and uploads, that the session may make; more are refused with `quota_exceeded`.",
});

export const GuestSession = Type.Object(
  {
    token: Type.String({ examples: ["eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl"] }),
    product_id: Type.Integer({ examples: [4711] }),
    return_url: ReturnUrl,
    max_patterns: MaxPatterns,
    expires_at: Moment,
  },
  strict,
);
export type GuestSession = Static<typeof GuestSession>;

/** Returns a guest session as the API represents it. */
export function showGuestSession({ handoff, token, expiresAt }: OpenedHandoff): GuestSession {
  const { product_id, return_url, max_patterns } = handoff;
  return { token, product_id, return_url, max_patterns, expires_at: expiresAt.toISOString() };
}

export const FinishHandoff = Type.Object({ pattern_id: Id }, strict);

/**
 * Finishes a handoff with a pattern that was created in it. Returns the URL to return to. Throws
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
 * Returns the URL with `pf_pattern_id` in its query. The rest of the query stays byte for byte; an
 * existing `pf_pattern_id` is replaced.
 */
export function withPattern(returnUrl: string, patternId: number): string {
  const url = new URL(returnUrl);
  const others = url.search
    .slice(1)
    .split("&")
    .filter((part) => part !== "" && !/^pf_pattern_id(=|$)/.test(part));
  // Not URLSearchParams, which would re-encode the shop's query.
  url.search = [...others, `pf_pattern_id=${patternId}`].join("&");
  return url.href;
}
