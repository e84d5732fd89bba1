import { SMTPServer } from "smtp-server";
import type { Test } from "tap";
import { until } from "./jobs.ts";
import { portOf } from "./port-of.ts";

export interface MailServer {
  readonly url: string;
  /** Recipients and text of the messages so far. */
  readonly messages: readonly { readonly to: readonly string[]; readonly text: string }[];
  /** Sets the status of every response from now on; null: accepted. */
  refuse(status: number | null): void;
  /** Number of refused messages. */
  refusals(): number;
  /** Resolves with the token in a message, counted from 0. */
  tokenOf(index: number): Promise<string>;
}

/** Starts a mail server; it stops when the test ends. */
export async function startMailServer(t: Test): Promise<MailServer> {
  const messages: { to: string[]; text: string }[] = [];
  let status: number | null = null;
  let refusals = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        if (status !== null) {
          refusals += 1;
          return done(Object.assign(new Error("refused"), { responseCode: status }));
        }
        const to = session.envelope.rcptTo.map(({ address }) => address);
        messages.push({ to, text: Buffer.concat(parts).toString() });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const port = portOf(server.server);
  return {
    url: `smtp://127.0.0.1:${port}`,
    messages,
    refuse: (next) => {
      status = next;
    },
    refusals: () => refusals,
    async tokenOf(index) {
      await until(async () => messages.length > index);
      // quoted-printable breaks long lines.
      const text = messages[index]?.text.replaceAll("=\r\n", "") ?? "";
      return /#([\w-]{43})/.exec(text)?.[1] ?? "";
    },
  };
}
