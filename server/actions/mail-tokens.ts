/** Tokens that are sent by mail: 32 random bytes, stored as their SHA-256, for one use. */
import { createHash, randomBytes } from "node:crypto";
import Type from "typebox";
import { NotOffered } from "./errors.ts";
import { requireOwnTokens } from "./log-in.ts";
import type { Services } from "./services.ts";

export const MailToken = Type.String({
  minLength: 1,
  maxLength: 200,
  examples: ["k3nZ1uXn0yq4cE6bq1Jx8v3m0Q2a7dR5tYw9LhPsGfE"],
  description: "The token in the link that was sent by mail. It works once.",
});

/** The token of a link is unknown, was used, or has expired. */
export class DeadMailToken extends Error {
  override readonly name = "DeadMailToken";
  constructor() {
    super("this link is unknown, was used already, or has expired: request another one");
  }
}

export function makeMailToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What is stored of a token. */
export function mailTokenHash(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
}

/** Throws NotOffered where no mail is sent, or where another issuer makes the tokens. */
export function requireMail(services: Services): void {
  requireOwnTokens(services);
  if (services.mailer === null)
    throw new NotOffered("this service sends no mail: ask its operator");
}
