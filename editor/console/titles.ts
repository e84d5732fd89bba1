import type { MessageKey } from "../shared/languages.ts";

/** Titles of the pages by their paths; the first page has the name of the service. */
export const TITLES: Readonly<Record<string, MessageKey>> = {
  "sign-in": "signIn.submit",
  "sign-up": "signUp.title",
  "forgot-password": "signIn.forgot",
  "reset-password": "reset.title",
  "verify-email": "verify.title",
  "confirm-email": "confirmEmail.title",
  console: "account.yours",
  "console/patterns": "patterns.title",
  "console/usage": "usage.title",
  "console/api-keys": "keys.title",
  "console/integrations": "integrations.title",
  "console/account": "account.title",
  "console/accounts": "accounts.title",
  "console/accounts/{id}": "accounts.one",
};
