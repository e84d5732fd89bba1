/** Mail by SMTP, through the server that the operator names. */

/** Time limits of each step, and of inactivity. */
const STEP_MS = 10_000;
const SILENCE_MS = 30_000;

export interface MailerOptions {
  /** `smtp://user:password@host:port` or `smtps://…`. */
  readonly url: string;
  /** The sender's address. */
  readonly from: string;
}

export interface Message {
  /** One address; it is not parsed as a list or a display name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** The server permanently refused a message. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
}

export interface Mailer {
  /** Sends a message. Throws MailRefused, and the errors of the connection. */
  send(message: Message): Promise<void>;
}

/** Creates a mailer that opens a connection for each message. */
export function createMailer({ url, from }: MailerOptions): Mailer {
  const options = {
    url,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: SILENCE_MS,
    // Messages must never read files or fetch URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return {
    async send({ to, subject, text }) {
      try {
        // Loaded with the first message rather than at the start.
        const { createTransport } = await import("nodemailer");
        await createTransport(options, { from }).sendMail({
          to: { name: "", address: to },
          subject,
          text,
        });
      } catch (error) {
        const code = (error as { responseCode?: number }).responseCode ?? 0;
        if (code < 500) throw error;
        throw new MailRefused(`the mail server refused the message: ${code}`, { cause: error });
      }
    },
  };
}
