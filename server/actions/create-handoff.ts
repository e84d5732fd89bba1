import { createHash, randomBytes } from "node:crypto";
import Type, { type Static } from "typebox";
import type { Account, Handoff } from "../../db/index.ts";
import { InvalidInput, issueAt } from "./errors.ts";
import { isSafe } from "./origins.ts";
import { strict } from "./resources/fields.ts";
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
export function handoffHash(token: string): Uint8Array {
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
