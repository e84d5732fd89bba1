import type { Job, MailPurpose } from "../../db/index.ts";
import { MailRefused } from "../outbound/index.ts";
import type { LogFields } from "./log.ts";
import { mailTokenHash, makeMailToken } from "./mail-tokens.ts";
import type { Services } from "./services.ts";

/** How often a message is tried: for about ten minutes. */
const TRIES = 15;

interface Letter {
  readonly subject: string;
  /** The page of the service that the link leads to. */
  readonly page: string;
  readonly lifetimeSeconds: number;
  readonly lines: (link: string) => readonly string[];
}

const LETTERS: Readonly<Record<MailPurpose, Letter>> = {
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

type Needed = Pick<Services, "db" | "mailer" | "publicUrl">;

/**
 * Sends the message that a job asks for, with a token of its own: of an earlier attempt nobody has the
 * token. Returns what came of it. Throws what is worth another attempt.
 */
export async function sendMail(
  { db, mailer, publicUrl }: Needed,
  { data: { purpose, account_id }, tries }: Job<"send_mail">,
): Promise<LogFields> {
  const account = account_id === null ? null : await db.accounts.byId(account_id);
  if (!account) return { outcome: "no account" };
  if (!mailer) return { outcome: "no mail server" };
  if (purpose === "verify_email" && account.email_verified_at)
    return { outcome: "verified already" };
  const { subject, page, lifetimeSeconds, lines } = LETTERS[purpose];
  const token = makeMailToken();
  await db.mailTokens.store(purpose, account.id, mailTokenHash(token), lifetimeSeconds);
  // In the fragment, which browsers send to no server and write into no Referer.
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
