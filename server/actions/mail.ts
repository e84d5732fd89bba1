/** Links that are sent by mail, each with a token: 32 random bytes, stored as their SHA-256, for one use. */
import { createHash, randomBytes } from "node:crypto";
import { hash } from "@node-rs/argon2";
import Type, { type Static } from "typebox";
import type { Account } from "../../db/index.ts";
import { FeatureDisabled } from "./errors.ts";
import type { FailureCode } from "./failures.ts";
import { strict } from "./fields.ts";
import { countUse, digest, RateLimited } from "./rate-limits.ts";
import type { Services } from "./services.ts";
import { Email, Password, requireOwnTokens, startSession, type UserSession } from "./sessions.ts";

export const MailToken = Type.String({
  minLength: 1,
  maxLength: 200,
  examples: ["k3nZ1uXn0yq4cE6bq1Jx8v3m0Q2a7dR5tYw9LhPsGfE"],
  description: "The token in the link that was sent by mail. It works once.",
});

/** The token of a link is unknown, used, or expired. */
export class InvalidMailToken extends Error {
  override readonly name = "InvalidMailToken";
  readonly code = "not_found" satisfies FailureCode;
  constructor() {
    super("this link is unknown, was used already, or has expired: request another one");
  }
}

export function makeMailToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns the hash that is stored of a token. */
export function mailTokenHash(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
}

/** Throws FeatureDisabled if no mail is sent, or another issuer makes the tokens. */
export function requireMail(services: Services): void {
  requireOwnTokens(services);
  if (services.mailer === null)
    throw new FeatureDisabled("this service sends no mail: ask its operator");
}

export const EmailVerification = Type.Object({ token: MailToken }, strict);

/** Rate limit of the messages that an account asks for. */
const MESSAGES = { quota: 5, windowSeconds: 60 * 60 };

/**
 * Marks the e-mail address of an account as verified and grants the credits that depend on it.
 * Throws InvalidMailToken, FeatureDisabled.
 */
export async function verifyEmail(
  services: Services,
  { token }: Static<typeof EmailVerification>,
): Promise<Account> {
  requireMail(services);
  const account = await services.db.mailTokens.verifyEmail(mailTokenHash(token));
  if (!account) throw new InvalidMailToken();
  return account;
}

/** Requests another verification link. Throws RateLimited, FeatureDisabled. */
export async function requestVerification(services: Services, account: Account): Promise<void> {
  requireMail(services);
  await countMessage(services, account);
  await services.db.mailTokens.request("verify_email", account.id);
}

/** Counts a message that an account asks for. Throws RateLimited. */
export async function countMessage({ db }: Services, { id }: Account): Promise<void> {
  const use = await countUse(db, `mail:${id}`, MESSAGES);
  if (!use.allowed) throw new RateLimited(use);
}

export const PasswordResetRequest = Type.Object({ email: Email }, strict);
export const PasswordReset = Type.Object({ token: MailToken, password: Password }, strict);

/** Rate limit of an address, whether it has an account or not. */
const REQUESTS = { quota: 5, windowSeconds: 60 * 60 };

/**
 * Requests a password-reset link, which is sent if the address has an account. The response does
 * not reveal whether it has: the same statements run in both cases. Throws RateLimited, FeatureDisabled.
 */
export async function requestPasswordReset(
  services: Services,
  { email }: Static<typeof PasswordResetRequest>,
): Promise<void> {
  requireMail(services);
  const use = await countUse(services.db, `reset:${digest(email.toLowerCase())}`, REQUESTS);
  if (!use.allowed) throw new RateLimited(use);
  const account = await services.db.accounts.byEmail(email);
  await services.db.mailTokens.request("reset_password", account?.id ?? null);
}

/**
 * Sets a new password by the token of a link, revokes all user session tokens, and starts a
 * session. Throws InvalidMailToken, FeatureDisabled.
 */
export async function resetPassword(
  services: Services,
  { token, password }: Static<typeof PasswordReset>,
): Promise<UserSession> {
  requireMail(services);
  const tokenHash = mailTokenHash(token);
  const { mailTokens } = services.db;
  // Hashing is expensive: guessed tokens are refused before it.
  if (!(await mailTokens.isValid("reset_password", tokenHash))) throw new InvalidMailToken();
  const reset = await mailTokens.resetPassword(tokenHash, await hash(password));
  if (!reset) throw new InvalidMailToken();
  return startSession(services, reset.account, reset.tokenVersion);
}
