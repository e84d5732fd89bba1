/** A database session that is opened on first use, and opened again after it was lost. */
import type pg from "pg";
import { ConnectionError } from "slonik";
import { openSession } from "./pool.ts";

export interface OpenSession<State> {
  readonly client: pg.Client;
  /** What `prepare` resolved with for this session. */
  readonly state: State;
}

export interface ReconnectingSession<State> {
  /** Resolves with the open session. Rejects with ConnectionError. */
  get(): Promise<OpenSession<State>>;
  /** Ends the session if it is still the current one; the next `get` opens another. */
  drop(session: Promise<OpenSession<State>>): void;
  close(): Promise<void>;
}

/** @param prepare is run on every session that is opened, before it is used */
export function reconnectingSession<State>(
  url: string,
  prepare: (client: pg.Client) => Promise<State>,
): ReconnectingSession<State> {
  let current: Promise<OpenSession<State>> | null = null;

  const open = async () => {
    const client = await openSession(url);
    try {
      return { client, state: await prepare(client) };
    } catch (error) {
      await client.end();
      throw error;
    }
  };
  const forget = (lost: Promise<OpenSession<State>>) => {
    if (current === lost) current = null;
  };
  const begin = () => {
    const opening = open().catch((cause) => {
      throw new ConnectionError("cannot open a session of PostgreSQL", { cause });
    });
    const lose = () => forget(opening);
    opening.then(({ client }) => client.once("end", lose), lose);
    return opening;
  };

  return {
    get: () => (current ??= begin()),
    drop(session) {
      forget(session);
      // Its connection may take a while to close; the next caller need not wait for that.
      session.then(({ client }) => client.end()).catch(() => undefined);
    },
    async close() {
      const closing = current;
      current = null;
      await (await closing?.catch(() => null))?.client.end();
    },
  };
}
