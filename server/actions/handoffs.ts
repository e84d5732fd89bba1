/** Handoffs: a shop sends a customer to the editor as a guest. */
import { createHash, randomBytes } from "node:crypto";
import Type, { type Static } from "typebox";
import type { Account, Handoff } from "../../db/index.ts";
import { AccountFrozen, PlanRequired, requireActive, requireProgrammaticPlan } from "./accounts.ts";
import { InvalidHandoffToken, ShopUnavailable } from "./errors.ts";
import { Id, strict, Timestamp } from "./fields.ts";
import {
  HandoffProduct,
  Locale,
  MaxPatterns,
  type NewHandoff,
  OrNull,
  parseHandoff,
  ReturnUrl,
} from "./handoff-fields.ts";
import type { Services } from "./services.ts";

/** Lifetime of the link. */
const LIFETIME_SECONDS = 24 * 60 * 60;

/**
 * Creates a handoff and its token, of which only the hash is stored. Throws InvalidInput as
 * `parseHandoff`.
 */
export async function createHandoff(
  { db }: Services,
  account: Account,
  body: Static<typeof NewHandoff>,
): Promise<{ readonly handoff: Handoff; readonly token: string }> {
  const token = randomBytes(32).toString("base64url");
  const handoff = await db.handoffs.create(account.id, {
    ...parseHandoff(body, account.return_origins),
    tokenHash: handoffHash(token),
    lifetimeSeconds: LIFETIME_SECONDS,
  });
  return { handoff, token };
}

/** Returns the hash that is stored of a handoff's token. */
function handoffHash(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
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

/** Returns the handoff of a token, whatever became of it; null for an unknown token. */
export function handoffOfToken({ db }: Services, token: string): Promise<Handoff | null> {
  return db.handoffs.byToken(handoffHash(token));
}

/** Starts a guest session. Throws InvalidHandoffToken, ShopUnavailable. */
export async function openHandoff(
  services: Services,
  { handoff: token }: Static<typeof OpenHandoff>,
): Promise<OpenedHandoff> {
  const { db, guests } = services;
  const found = await handoffOfToken(services, token);
  const account = found && (await db.accounts.byId(found.account_id));
  if (!account) throw new InvalidHandoffToken("unknown");
  if (found.opened_at !== null) throw new InvalidHandoffToken("used");
  if (found.expires_at.getTime() <= Date.now()) throw new InvalidHandoffToken("expired");
  requireOpenShop(account);
  // The token is consumed only now, so that the customer can retry once the account is in order.
  const handoff = await db.handoffs.open(found.id);
  if (!handoff) throw new InvalidHandoffToken("used");
  return {
    handoff,
    ...(await guests.sign({ accountId: account.id, handoffId: handoff.id })),
  };
}

function requireOpenShop(account: Account): void {
  try {
    requireActive(account);
    requireProgrammaticPlan(account);
  } catch (cause) {
    if (!(cause instanceof AccountFrozen || cause instanceof PlanRequired)) throw cause;
    throw new ShopUnavailable(cause.code, { cause });
  }
}

export const GuestSession = Type.Object(
  {
    token: Type.String({ examples: ["eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl"] }),
    handoff_id: Id,
    product_id: Type.Integer({ examples: [4711] }),
    product: Type.Union([HandoffProduct, Type.Null()], {
      description: "What the pattern is for, if the shop says it.",
    }),
    locale: OrNull(Locale),
    return_url: ReturnUrl,
    cancel_url: OrNull(ReturnUrl),
    max_patterns: MaxPatterns,
    expires_at: Timestamp,
  },
  strict,
);
export type GuestSession = Static<typeof GuestSession>;

/** Returns a guest session as the API represents it. */
export function toGuestSessionResponse({ handoff, token, expiresAt }: OpenedHandoff): GuestSession {
  const { product_id, product, locale, return_url, cancel_url, max_patterns } = handoff;
  return {
    token,
    handoff_id: handoff.id,
    product_id,
    product: product as HandoffProduct | null,
    locale,
    return_url,
    cancel_url,
    max_patterns,
    expires_at: expiresAt.toISOString(),
  };
}
