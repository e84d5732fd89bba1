/** Links sent by mail, each with a token: 32 random bytes, stored as their SHA-256, for one use. */
import { createHash, randomBytes } from "node:crypto";
import { hash } from "@node-rs/argon2";
import Type, { type Static } from "typebox";
import type { Account, Job, MailPurpose } from "../../db/index.ts";
import { MailRefused } from "../outbound/index.ts";
import { FeatureDisabled } from "./errors.ts";
import type { FailureCode } from "./failures.ts";
import { strict } from "./fields.ts";
import type { LogFields } from "./log.ts";
import { countUse, digest, RateLimited } from "./rate-limits.ts";
import type { Services } from "./services.ts";
import { Email, Password, requireOwnTokens, startSession, type UserSession } from "./sessions.ts";

const MailToken = Type.String({
  minLength: 1,
  maxLength: 200,
  examples: ["k3nZ1uXn0yq4cE6bq1Jx8v3m0Q2a7dR5tYw9LhPsGfE"],
  description: "The token in the link that was sent by mail. It works once.",
});

/** The token of a link is unknown, used, or expired. */
class InvalidMailToken extends Error {
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
function requireMail(services: Services): void {
  requireOwnTokens(services);
  if (services.mailer === null)
    throw new FeatureDisabled("this service sends no mail: ask its operator");
}

export const EmailVerification = Type.Object({ token: MailToken }, strict);

/** Rate limit of an account's verification messages. */
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
  const use = await countUse(services.db, `mail:${account.id}`, MESSAGES);
  if (!use.allowed) throw new RateLimited(use);
  await services.db.mailTokens.request("verify_email", account.id);
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

/** Maximum number of attempts: about ten minutes. */
const TRIES = 15;

interface MailTemplate {
  readonly subject: string;
  /** Page of the service that the link opens. */
  readonly page: string;
  readonly lifetimeSeconds: number;
  readonly lines: (link: string) => readonly string[];
}

const TEMPLATES: Readonly<Record<MailPurpose, MailTemplate>> = {
  verify_email: {
    subject: "Verify your e-mail address",
    page: "verify-email",
    lifetimeSeconds: 24 * 60 * 60,
    lines: (link) => [
      "An account was created with this e-mail address. To verify the address, open this link:",
      link,
      "It works once, within 24 hours. If it was not you who created the account, ignore this message.",
    ],
  },
  reset_password: {
    subject: "Set a new password",
    page: "reset-password",
    lifetimeSeconds: 60 * 60,
    lines: (link) => [
      "A new password was requested for the account with this e-mail address. To set it, open this link:",
      link,
      "It works once, within an hour. If it was not you who requested it, ignore this message: your password stays as it is.",
    ],
  },
};

type RequiredServices = Pick<Services, "db" | "mailer" | "publicUrl">;

/**
 * Sends a job's message, with a new token: that of an earlier attempt is unknown. Returns the
 * outcome. Throws errors that are worth another attempt.
 */
export async function sendMail(
  { db, mailer, publicUrl }: RequiredServices,
  { data: { purpose, account_id }, tries }: Job<"send_mail">,
): Promise<LogFields> {
  const account = account_id === null ? null : await db.accounts.byId(account_id);
  if (!account) return { outcome: "no account" };
  if (!mailer) return { outcome: "no mail server" };
  if (purpose === "verify_email" && account.email_verified_at)
    return { outcome: "verified already" };
  const { subject, page, lifetimeSeconds, lines } = TEMPLATES[purpose];
  const token = makeMailToken();
  await db.mailTokens.store(purpose, account.id, mailTokenHash(token), lifetimeSeconds);
  // In the fragment, which browsers neither send nor include in Referer.
  const text = `${lines(`${publicUrl}/${page}#${token}`).join("\n\n")}\n`;
  try {
    await mailer.send({ to: account.email, subject, text });
  } catch (error) {
    if (error instanceof MailRefused) return { outcome: "refused", error };
    if (tries >= TRIES) return { outcome: "given up", error };
    throw error;
  }
  return { outcome: "sent" };
}
