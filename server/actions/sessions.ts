/** User sessions: signing up, logging in and out, and changing the password. */
import { hash, verify } from "@node-rs/argon2";
import Type, { type Static } from "typebox";
import { type Account, ROLES } from "../../db/index.ts";
import {
  AccountNotFound,
  createAccount,
  findCredentials,
  requireActive,
  setPassword,
} from "./accounts.ts";
import { FeatureDisabled, NotFound } from "./errors.ts";
import type { FailureCode } from "./failures.ts";
import { Id, strict, Timestamp } from "./fields.ts";
import { countUse, digest, RateLimited } from "./rate-limits.ts";
import type { Database, Services } from "./services.ts";

export interface UserSession {
  readonly account: Account;
  readonly token: string;
  readonly expiresAt: Date;
}

/** Starts a session with a token of the given version. */
export async function startSession(
  { tokens }: Services,
  account: Account,
  version: number,
): Promise<UserSession> {
  return { account, ...(await tokens.sign(account.id, version)) };
}

export const Role = Type.Enum([...ROLES], {
  description: "`operator`: may see and change all accounts, see the section Operator.",
});

export const Session = Type.Object(
  {
    token: Type.String({
      examples: ["eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI0In0.c2lnbmF0dXJl"],
      description: "User session token (JWT), to be sent as a bearer token.",
    }),
    expires_at: Timestamp,
    account_id: Id,
    role: Role,
  },
  { ...strict, description: "A user session." },
);

/** Returns a session as the API represents it. */
export function toSessionResponse({
  account,
  token,
  expiresAt,
}: UserSession): Static<typeof Session> {
  const { id: account_id, role } = account;
  return { token, expires_at: expiresAt.toISOString(), account_id, role };
}

export const Password = Type.String({
  minLength: 8,
  maxLength: 1000,
  examples: ["correct horse battery"],
  description: "At least 8 characters, of any kind.",
});

export const Email = Type.String({
  maxLength: 254,
  // No e-mail address contains control characters, and PostgreSQL stores no NUL.
  pattern: "^[^\\u0000-\\u001f\\u007f]*$",
  title: "an e-mail address of at most 254 characters",
  examples: ["ada@example.com"],
});

export const EmailAndPassword = Type.Object({ email: Email, password: Password }, strict);

/** Whether a caller may sign up: `signUps` or an outside issuer may forbid it. */
export function maySignUp({ signUps, tokens }: Services, isLocal: boolean): boolean {
  return tokens.isIssuer && (signUps === "anyone" || (signUps === "loopback" && isLocal));
}

/**
 * Creates a trial account and starts a session. If mail is sent, the credits are granted when the
 * address is verified. Throws FeatureDisabled unless `maySignUp`, InvalidInput, Conflict for an address that is taken.
 */
export async function signUp(
  services: Services,
  isLocal: boolean,
  fields: Static<typeof EmailAndPassword>,
): Promise<UserSession> {
  const { db, mailer } = services;
  if (!maySignUp(services, isLocal)) {
    throw new FeatureDisabled("accounts are created by the operator of this service");
  }
  const whose = { ...fields, plan: "trial", creditsAwaitVerification: mailer !== null } as const;
  return startSession(services, await createAccount(db, whose), 0);
}

/**
 * Login attempts at one account from all addresses; each address has a far lower limit, so that one
 * attacker cannot lock an account.
 */
const ATTEMPTS = { quota: 100, windowSeconds: 15 * 60 };

/** The account does not exist or the password is wrong; the error does not reveal which. */
class WrongPassword extends Error {
  override readonly name = "WrongPassword";
  readonly code = "unauthorized" satisfies FailureCode;
  constructor() {
    super("the e-mail address or the password is wrong");
  }
}

/** Verified if there is no account, so that response times reveal nothing. */
let decoy: Promise<string> | undefined;

/**
 * Verifies a password, off the event loop. Throws WrongPassword, also without a hash, and
 * RateLimited after too many attempts at `who`.
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

/** Throws FeatureDisabled if an outside issuer makes the tokens. */
export function requireOwnTokens({ tokens }: Services): void {
  if (!tokens.isIssuer) throw new FeatureDisabled("users log in with another service, not here");
}

/**
 * Starts a session by e-mail address and password. Throws WrongPassword, AccountFrozen, RateLimited
 * after too many attempts, FeatureDisabled if an outside issuer makes the tokens.
 */
export async function logIn(
  services: Services,
  { email, password }: Static<typeof EmailAndPassword>,
): Promise<UserSession> {
  requireOwnTokens(services);
  const found = await services.db.accounts.byEmail(email);
  // By the account if there is one: an address has several spellings.
  const who = found ? String(found.id) : digest(email);
  await checkPassword(services.db, who, found?.password_hash, password);
  if (!found) throw new WrongPassword();
  const { password_hash: _, token_version, ...account } = found;
  requireActive(account);
  return startSession(services, account, token_version);
}

/**
 * Revokes all user session tokens of an account; API keys keep working. Throws NotFound for a
 * deleted account, FeatureDisabled if an outside issuer makes the tokens.
 */
export async function logOut(services: Services, accountId: number): Promise<void> {
  requireOwnTokens(services);
  const version = await services.db.accounts.revokeTokens(accountId);
  if (version === null) throw new NotFound(`account ${accountId}`);
}

/** The password that the account has. */
export const ownPassword = Type.String({ maxLength: 1000, examples: ["correct horse battery"] });

/**
 * Asks again for the password of a signed-in user. Throws WrongPassword, RateLimited after too many
 * attempts, FeatureDisabled if an outside issuer makes the tokens.
 */
export async function requirePassword(
  services: Services,
  { id }: Account,
  password: string,
): Promise<void> {
  requireOwnTokens(services);
  const { password_hash } = await findCredentials(services.db, id);
  await checkPassword(services.db, String(id), password_hash, password);
}

export const PasswordChange = Type.Object({ current: ownPassword, new: Password }, strict);

/** Sets a new password, revokes all tokens of the account, and starts a session. Throws as `requirePassword`. */
export async function changePassword(
  services: Services,
  account: Account,
  change: Static<typeof PasswordChange>,
): Promise<UserSession> {
  await requirePassword(services, account, change.current);
  const version = await setPassword(services.db, account.id, change.new);
  return startSession(services, account, version);
}

export const AccountDeletion = Type.Object({ password: ownPassword }, strict);

/**
 * Deletes an account with all its data; mail tells its owner, if mail is sent. Throws as
 * `requirePassword`.
 */
export async function deleteOwnAccount(
  services: Services,
  account: Account,
  { password }: Static<typeof AccountDeletion>,
): Promise<void> {
  await requirePassword(services, account, password);
  const { id } = account;
  const tellsOwner = services.mailer !== null;
  if (!(await services.db.accounts.delete(id, tellsOwner))) throw new AccountNotFound(id);
}
