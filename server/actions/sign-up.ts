import Type, { type Static } from "typebox";
import { createAccount } from "./accounts.ts";
import { NotOffered } from "./errors.ts";
import { strict } from "./resources/fields.ts";
import type { Services } from "./services.ts";
import { type Session, startSession } from "./session.ts";

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

export const SignUp = Type.Object(
  {
    email: Email,
    password: Password,
  },
  strict,
);

/**
 * Creates a trial account and starts a session. Where mail is sent, the credits come once the address is
 * verified. Throws NotOffered where the operator alone creates accounts, for a caller elsewhere where
 * only this machine may, and where another issuer makes the tokens; InvalidInput, Conflict for an
 * address that is taken.
 */
export async function signUp(
  services: Services,
  isLocal: boolean,
  fields: Static<typeof SignUp>,
): Promise<Session> {
  const { db, mailer, signUps, tokens } = services;
  const isOpen = signUps === "anyone" || (signUps === "loopback" && isLocal);
  if (!isOpen || !tokens.areOurs) {
    throw new NotOffered("accounts are created by the operator of this service");
  }
  const whose = { ...fields, plan: "trial", isVerifiedFirst: mailer !== null } as const;
  return startSession(services, await createAccount(db, whose), 0);
}
