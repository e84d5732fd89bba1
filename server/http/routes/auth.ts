import {
  changeEmail,
  confirmEmail,
  EmailChange,
  EmailConfirmation,
} from "../../actions/email-change.ts";
import {
  EmailVerification,
  PasswordReset,
  PasswordResetRequest,
  requestPasswordReset,
  requestVerification,
  resetPassword,
  verifyEmail,
} from "../../actions/mail.ts";
import {
  changePassword,
  EmailAndPassword,
  logIn,
  logOut,
  PasswordChange,
  Session,
  signUp,
  toSessionResponse,
} from "../../actions/sessions.ts";
import { route } from "../route.ts";

const shared = { method: "POST", tag: "Users", auth: "none", cost: 0 } as const;
const own = { method: "POST", tag: "Users", auth: "jwt", cost: 0 } as const;

const HOUR = 60 * 60;

/** Sign-up, log-in and passwords of users. */
export const authRoutes = [
  route({
    ...shared,
    path: "/api/v1/auth/signup",
    operationId: "signUp",
    summary: "Sign up",
    description:
      "Creates a trial account. Its 100 credits are granted at once or, where the service sends mail, when the e-mail address is verified. The token is valid for 12 hours.",
    addressLimit: { policy: "signup", quota: 20, windowSeconds: HOUR },
    body: EmailAndPassword,
    responses: {
      201: {
        description: "The session of the new account.",
        schema: Session,
        headers: { Location: "URL of the account." },
      },
    },
    problems: ["conflict", "not_found"],
    async handler({ services, isLocal, body }) {
      const headers = { Location: `${services.publicUrl}/api/v1/account` };
      return {
        status: 201,
        headers,
        json: toSessionResponse(await signUp(services, isLocal, body)),
      };
    },
  }),
  route({
    ...shared,
    path: "/api/v1/auth/login",
    operationId: "logIn",
    summary: "Log in",
    description: "The token is valid for 12 hours. 402 for a frozen account.",
    addressLimit: { policy: "login", quota: 60, windowSeconds: HOUR / 4 },
    body: EmailAndPassword,
    responses: { 200: { description: "The session.", schema: Session } },
    problems: ["unauthorized", "account_frozen", "not_found"],
    async handler({ services, body }) {
      return { status: 200, json: toSessionResponse(await logIn(services, body)) };
    },
  }),
  route({
    ...own,
    path: "/api/v1/auth/logout",
    operationId: "logOut",
    summary: "Log out everywhere",
    description:
      "Revokes all user session tokens of your account, including the one of this request. API keys keep working.",
    responses: { 204: { description: "The tokens are revoked." } },
    problems: ["not_found"],
    async handler({ services, account }) {
      await logOut(services, account.id);
      return { status: 204 };
    },
  }),
  route({
    ...own,
    path: "/api/v1/auth/password",
    operationId: "changePassword",
    summary: "Change your password",
    description:
      "Revokes all user session tokens of your account and returns a new one. API keys keep working.",
    body: PasswordChange,
    examples: {
      "A new password": { current: "correct horse battery", new: "a longer one, with a comma" },
    },
    responses: { 200: { description: "The password is changed.", schema: Session } },
    problems: ["not_found"],
    async handler({ services, account, body }) {
      return {
        status: 200,
        json: toSessionResponse(await changePassword(services, account, body)),
      };
    },
  }),
  route({
    ...own,
    path: "/api/v1/auth/email",
    operationId: "changeEmail",
    summary: "Change your e-mail address",
    description:
      "Takes the password. If the service sends mail, a link goes to the new address, and the change waits until it is opened: within 24 hours, at most 5 links an hour. Otherwise the address is changed at once. Your sessions and API keys keep working; links that were sent to the old address do not.",
    body: EmailChange,
    examples: {
      "A new address": { email: "ada@patterns.example", password: "correct horse battery" },
    },
    responses: {
      202: { description: "A link was sent to the new address." },
      204: { description: "The address is changed." },
    },
    problems: ["conflict", "not_found"],
    async handler({ services, account, body }) {
      return { status: (await changeEmail(services, account, body)) ? 204 : 202 };
    },
  }),
  route({
    ...own,
    path: "/api/v1/auth/email/confirm",
    operationId: "confirmEmail",
    summary: "Confirm your new e-mail address",
    description:
      "Takes the token of the link that was sent to the new address, in a session of the account that asked for it. A message tells the old address.",
    body: EmailConfirmation,
    responses: { 204: { description: "The address is changed, and verified." } },
    problems: ["conflict", "not_found"],
    async handler({ services, account, body }) {
      await confirmEmail(services, account, body);
      return { status: 204 };
    },
  }),
  route({
    ...shared,
    path: "/api/v1/auth/verify-email",
    operationId: "verifyEmail",
    summary: "Verify an e-mail address",
    description:
      "Takes the token of the link that was sent to the address. Grants the credits of a trial account.",
    addressLimit: { policy: "verify-email", quota: 60, windowSeconds: HOUR / 4 },
    body: EmailVerification,
    responses: { 204: { description: "The address is verified." } },
    problems: ["not_found"],
    async handler({ services, body }) {
      await verifyEmail(services, body);
      return { status: 204 };
    },
  }),
  route({
    ...own,
    path: "/api/v1/auth/verify-email/resend",
    operationId: "resendVerification",
    summary: "Request another link to verify your e-mail address",
    description: "At most 5 an hour. Nothing is sent to an address that is already verified.",
    responses: { 202: { description: "A message will be sent." } },
    problems: ["not_found"],
    async handler({ services, account }) {
      await requestVerification(services, account);
      return { status: 202 };
    },
  }),
  route({
    ...shared,
    path: "/api/v1/auth/password-reset",
    operationId: "requestPasswordReset",
    summary: "Request a link to set a new password",
    description:
      "Sent if the address has an account; the link works for an hour. The response does not reveal whether it has. At most 5 an hour for each address.",
    addressLimit: { policy: "password-reset", quota: 20, windowSeconds: HOUR },
    body: PasswordResetRequest,
    responses: { 202: { description: "A message will be sent if there is such an account." } },
    problems: ["not_found"],
    async handler({ services, body }) {
      await requestPasswordReset(services, body);
      return { status: 202 };
    },
  }),
  route({
    ...shared,
    path: "/api/v1/auth/password-reset/confirm",
    operationId: "resetPassword",
    summary: "Set a new password with the token of a link",
    description:
      "Revokes all user session tokens of the account and returns a new one. API keys keep working, unless the e-mail address was not verified before: then they are revoked and webhooks deleted, since someone else may have created the account.",
    addressLimit: { policy: "password-reset-confirm", quota: 60, windowSeconds: HOUR / 4 },
    body: PasswordReset,
    responses: { 200: { description: "The session.", schema: Session } },
    problems: ["not_found"],
    async handler({ services, body }) {
      return { status: 200, json: toSessionResponse(await resetPassword(services, body)) };
    },
  }),
];
