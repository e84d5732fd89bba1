import Type, { type Static } from "typebox";
import { createAccount } from "./accounts.ts";
import { NotOffered } from "./errors.ts";
import { strict } from "./resources/fields.ts";
import type { Services } from "./services.ts";
import { type Session, startSession } from "./session.ts";

export const SignUp = Type.Object(
  {
    email: Type.String({
      maxLength: 254,
      // Control characters are in no address, and PostgreSQL takes no NUL.
      pattern: "^[^\\u0000-\\u001f\\u007f]*$",
      title: "an e-mail address of at most 254 characters",
      examples: ["ada@example.com"],
    }),
    password: Type.String({
      minLength: 8,
      maxLength: 1000,
      examples: ["correct horse battery"],
      description: "At least 8 characters, of any kind.",
    }),
  },
  strict,
);

/**
 * Makes a trial account for whoever comes. Throws NotOffered where the operator alone makes
 * accounts or another issuer makes the tokens, InvalidInput, Conflict for an address that is taken.
 */
export async function signUp(services: Services, fields: Static<typeof SignUp>): Promise<Session> {
  if (!services.signUpsAreOpen || !services.tokens.areOurs) {
    throw new NotOffered("accounts are made by the operator here");
  }
  return startSession(services, await createAccount(services.db, { ...fields, plan: "trial" }));
}
