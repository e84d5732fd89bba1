/** User sessions: signing up, logging in and out, and changing the password. */
import { hash, verify } from "@node-rs/argon2";
import Type, { type Static } from "typebox";
import type { Account } from "../../db/index.ts";
import { createAccount, findCredentials, setPassword } from "./accounts.ts";
import { NotFound, NotOffered } from "./errors.ts";
import type { FailureCode } from "./failures.ts";
import { Id, Moment, strict } from "./fields.ts";
import { countUse, digest, RateLimited } from "./rate-limits.ts";
import type { Database, Services } from "./services.ts";

export interface UserSession {
  readonly account: Account;
  readonly token: string;
  readonly expiresAt: Date;
}

/** A token for the account's owner, in a version of the account's tokens. */
export async function startSession(
  { tokens }: Services,
  account: Account,
  version: number,
): Promise<UserSession> {
  return { account, ...(await tokens.sign(account.id, version)) };
}

export const Session = Type.Object(
  {
    token: Type.String({
      examples: ["eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI0In0.c2lnbmF0dXJl"],
      description: "A person's token (JWT), to be sent as a bearer token.",
    }),
    expires_at: Moment,
    account_id: Id,
  },
  { ...strict, description: "What a person calls with." },
);

/** The session as it is shown. */
export function showSession({ account, token, expiresAt }: UserSession): Static<typeof Session> {
  return { token, expires_at: expiresAt.toISOString(), account_id: account.id };
}

export const Password = Type.String({
  minLength: 8,
  maxLength: 1000,
  examples: ["correct horse battery"],
  description: "At least 8 characters, of any kind.",
});

export const Email = Type.String({
  maxLength: 254,
  // Control characters are in no address, and PostgreSQL takes no NUL.
  pattern: "^[^\\u0000-\\u001f\\u007f]*$",
  title: "an e-mail address of at most 254 characters",
  examples: ["ada@example.com"],
});

export const EmailAndPassword = Type.Object({ email: Email, password: Password }, strict);

/**
 * Creates a trial account and starts a session. Where mail is sent, the credits come once the address is
 * verified. Throws NotOffered where the operator alone creates accounts, for a caller elsewhere where
 * only this machine may, and where another issuer makes the tokens; InvalidInput, Conflict for an
 * address that is taken.
 */
export async function signUp(
  services: Services,
  isLocal: boolean,
  fields: Static<typeof EmailAndPassword>,
): Promise<UserSession> {
  const { db, mailer, signUps, tokens } = services;
  const isOpen = signUps === "anyone" || (signUps === "loopback" && isLocal);
  if (!isOpen || !tokens.areOurs) {
    throw new NotOffered("accounts are created by the operator of this service");
  }
  const whose = { ...fields, plan: "trial", isVerifiedFirst: mailer !== null } as const;
  return startSession(services, await createAccount(db, whose), 0);
}

/**
 * Attempts at one account, wherever they come from; from one address far fewer are let in. So a
 * stranger alone keeps nobody out.
 */
const ATTEMPTS = { quota: 100, windowSeconds: 15 * 60 };

/** No such account, or another password. Which of the two is not said. */
class WrongPassword extends Error {
  override readonly name = "WrongPassword";
  readonly code = "unauthorized" satisfies FailureCode;
  constructor() {
    super("the e-mail address or the password is wrong");
  }
}

/** Checked where there is no account, so that the time of the answer does not tell. */
let decoy: Promise<string> | undefined;

/**
 * Checks a password, off the event loop. Throws WrongPassword, also where there is no hash to check
 * it against, and RateLimited after many attempts at `who`.
 */
async function checkPassword(
  db: Database,
  who: string,
  passwordHash: string | null | undefined,
  password: string,
): Promise<void> {
  const attempt = await countUse(db, `login:${who}`, ATTEMPTS);
  if (!attempt.allowed) throw new RateLimited(attempt);
  decoy ??= hash("nobody's password");
  const isRight = await verify(passwordHash ?? (await decoy), password);
  if (!passwordHash || !isRight) throw new WrongPassword();
}

/** Throws NotOffered where an outside issuer makes the tokens. */
export function requireOwnTokens({ tokens }: Services): void {
  if (!tokens.areOurs) throw new NotOffered("users log in with another service, not here");
}

/**
 * Starts a session for whoever knows the password. Throws WrongPassword, RateLimited after many
 * guesses, NotOffered where another issuer makes the tokens.
 */
export async function logIn(
  services: Services,
  { email, password }: Static<typeof EmailAndPassword>,
): Promise<UserSession> {
  requireOwnTokens(services);
  const found = await services.db.accounts.byEmail(email);
  // By the account where there is one: an address may be spelt in several ways.
  const who = found ? String(found.id) : digest(email);
  await checkPassword(services.db, who, found?.password_hash, password);
  if (!found) throw new WrongPassword();
  const { password_hash: _, token_version, ...account } = found;
  return startSession(services, account, token_version);
}

/**
 * Revokes all user session tokens of an account, on every node; API keys keep working. Throws NotFound
 * for an account that is gone, NotOffered where another issuer makes the tokens.
 */
export async function logOut(services: Services, accountId: number): Promise<void> {
  requireOwnTokens(services);
  const version = await services.db.accounts.revokeTokens(accountId);
  if (version === null) throw new NotFound(`account ${accountId}`);
}

export const PasswordChange = Type.Object(
  {
    current: Type.String({ maxLength: 1000, examples: ["correct horse battery"] }),
    new: Password,
  },
  strict,
);

/**
 * Sets another password, revokes all tokens of the account, and returns a session with a new one.
 * Throws WrongPassword, RateLimited after many guesses, NotOffered where another issuer makes the
 * tokens.
 */
export async function changePassword(
  services: Services,
  account: Account,
  change: Static<typeof PasswordChange>,
): Promise<UserSession> {
  requireOwnTokens(services);
  const { password_hash } = await findCredentials(services.db, account.id);
  await checkPassword(services.db, String(account.id), password_hash, change.current);
  const version = await setPassword(services.db, account.id, change.new);
  return startSession(services, account, version);
}
