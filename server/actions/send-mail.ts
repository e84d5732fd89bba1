/** The job that sends mail: links, and news of what was done to an account. */
import type { Job, LinkPurpose, MailPurpose } from "../../db/index.ts";
import { MailRefused } from "../outbound/index.ts";
import type { JobResult } from "./log.ts";
import { mailTokenHash, makeMailToken } from "./mail.ts";
import type { Services } from "./services.ts";

/** Maximum number of attempts: about ten minutes. */
const TRIES = 15;

interface LinkTemplate {
  readonly subject: string;
  /** Page of the service that the link opens. */
  readonly page: string;
  readonly lifetimeSeconds: number;
  readonly lines: (link: string) => readonly string[];
}

const LINKS: Readonly<Record<LinkPurpose, LinkTemplate>> = {
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
  change_email: {
    subject: "Confirm your new e-mail address",
    page: "confirm-email",
    lifetimeSeconds: 24 * 60 * 60,
    lines: (link) => [
      "This is to become the e-mail address of an account. To confirm it, open this link and sign in with your present address:",
      link,
      "It works once, within 24 hours. If it was not you who asked for it, ignore this message: nothing changes then.",
    ],
  },
};

interface Notice {
  readonly subject: string;
  readonly lines: readonly string[];
}

const NOTICES: Readonly<Record<Exclude<MailPurpose, LinkPurpose>, Notice>> = {
  email_changed: {
    subject: "Your e-mail address was changed",
    lines: [
      "Your account has another e-mail address now: you sign in with that one, and this one gets no more mail.",
      "The password and a link that was sent to the new address were needed for it. If it was not you, tell the operator of the service at once.",
    ],
  },
  account_deleted: {
    subject: "Your account was deleted",
    lines: [
      "The account with this e-mail address was deleted, with all its patterns, pictures, files, keys and webhooks.",
      "The password was needed for it. If it was not you, tell the operator of the service.",
    ],
  },
};

type RequiredServices = Pick<Services, "db" | "mailer" | "publicUrl">;

interface Message extends Notice {
  readonly to: string;
}

/** Sends a job's message. Returns the result for the log. Throws errors that are worth another attempt. */
export async function sendMail(
  services: RequiredServices,
  { data, tries }: Job<"send_mail">,
): Promise<JobResult> {
  const { mailer } = services;
  if (!mailer) return { status: "no mail server" };
  const message = await messageOf(services, data);
  if (typeof message === "string") return { status: message };
  const { to, subject, lines } = message;
  try {
    await mailer.send({ to, subject, text: `${lines.join("\n\n")}\n` });
  } catch (error) {
    if (error instanceof MailRefused) return { status: "refused", error };
    if (tries >= TRIES) return { status: "given up", error };
    throw error;
  }
  return { status: "sent" };
}

/**
 * Returns the message, or why there is none. A link has a new token: that of an earlier attempt is
 * unknown.
 */
async function messageOf(
  { db, publicUrl }: RequiredServices,
  { purpose, account_id, to }: Job<"send_mail">["data"],
): Promise<Message | string> {
  if (purpose === "email_changed" || purpose === "account_deleted") {
    return to === undefined ? "no address" : { to, ...NOTICES[purpose] };
  }
  const account = account_id === null ? null : await db.accounts.byId(account_id);
  if (!account) return "no account";
  if (purpose === "verify_email" && account.email_verified_at) return "verified already";
  const { subject, page, lifetimeSeconds, lines } = LINKS[purpose];
  const token = makeMailToken();
  await db.mailTokens.store(purpose, account.id, mailTokenHash(token), lifetimeSeconds, to);
  // In the fragment, which browsers neither send nor include in Referer.
  return { to: to ?? account.email, subject, lines: lines(`${publicUrl}/${page}#${token}`) };
}
