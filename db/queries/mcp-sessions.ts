/** MCP sessions over SSE, each with its stream on one of several nodes. */
import { randomUUID } from "node:crypto";
import { type FragmentSqlToken, sql } from "slonik";
import Type from "typebox";
import { binary } from "../connection/binary.ts";
import { chunksOf, joinChunks } from "../connection/chunks.ts";
import type { Subscription } from "../connection/notifications.ts";
import { Bytes, columnsOf, idRow, type RowOf, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";

/**
 * The channel that notifies nodes of messages for their sessions (`node session`), of revoked keys
 * (`revoked key`) and of cancelled calls (`cancelled key call`).
 */
export const MESSAGES_CHANNEL = "mcp_frames";

const REVOKED = "revoked";
const CANCELLED = "cancelled";

/** A session that its node has not renewed for so long is dead. */
const ALIVE_SECONDS = 60;

/** A message that no node has fetched for so long belongs to a lost stream. */
const MESSAGE_SECONDS = 120;

/** Limits on the messages of a session that wait for its node. */
export interface PendingLimits {
  readonly messages: number;
  readonly bytes: number;
}

/** The callbacks of a node, for its sessions and calls. */
export interface McpListener {
  /** A message from the client of a session, with the bytes that belong to it. */
  message(id: string, message: string, attachment: Uint8Array | null): void;
  /** A message to the client of a session. */
  reply(id: string, message: string): void;
  keyRevoked(keyId: number): void;
  /** A call of a key outside of sessions was cancelled, as `cancelCall` names it. */
  callCancelled(keyId: number, call: string): void;
}

interface NewSession {
  readonly keyId: number;
  readonly accountId: number;
  /** Sessions that the key may have. */
  readonly atMost: number;
}

const sessionRow = row({
  /** A UUID. */
  id: Type.String(),
  key_id: Type.Integer(),
  account_id: Type.Integer(),
});
const sessionIdRow = row({ id: Type.String() });
const nodeRow = row({ node: Type.String() });
const messageRow = row({
  id: Type.Integer(),
  session_id: Type.String(),
  frame: Type.String(),
  is_reply: Type.Boolean(),
  attachment_bytes: Type.Integer(),
});
const chunkRow = row({ chunk: Bytes });
const pendingRow = row({ messages: Type.Integer(), bytes: Type.Integer() });

const alive = sql.fragment`now() + ${`${ALIVE_SECONDS} s`}::interval`;

const notify = (connection: Connection, payload: string) =>
  connection.query(sql.unsafe`select pg_notify(${MESSAGES_CHANNEL}, ${payload})`);

/**
 * Ends the sessions and calls of keys on every node, once the transaction is committed.
 * @param keys a condition on `api_keys`
 */
export async function endSessionsOf(
  transaction: Connection,
  keys: FragmentSqlToken,
): Promise<void> {
  await transaction.query(sql.unsafe`
    delete from mcp_sessions where key_id in (select id from api_keys where ${keys})`);
  await transaction.query(sql.unsafe`
    select pg_notify(${MESSAGES_CHANNEL}, ${`${REVOKED} `} || id) from api_keys where ${keys}`);
}

/** @param listen subscribes to the channel */
export function mcpSessionQueries(
  pool: Connection,
  listen: (
    onNotification: (payload: string) => void,
    onReconnect: () => void,
  ) => Promise<Subscription>,
) {
  const pendingMessages = (ids: readonly string[]) =>
    pool.any(sql.type(messageRow)`
      select ${columnsOf(messageRow)} from mcp_frames
      where session_id = any(${sql.array(ids, "uuid")}) order by id`);
  const attachmentOf = async ({ id, attachment_bytes }: RowOf<typeof messageRow>) =>
    attachment_bytes === 0
      ? null
      : joinChunks(attachment_bytes, async (start) => {
          const found = await pool.maybeOne(sql.type(chunkRow)`
            select piece as chunk from mcp_attachments where frame = ${id} and start = ${start}`);
          return found?.chunk;
        });
  /** Deletes a message, to be handled by this call. False when another call was faster. */
  const take = async (id: number) => {
    const taken = await pool.query(sql.type(idRow)`
      delete from mcp_frames where id = ${id} returning id`);
    return taken.rowCount > 0;
  };

  const send = (
    id: string,
    message: string,
    limits: PendingLimits,
    attachment: Uint8Array | null,
    isReply = false,
  ) =>
    pool.transaction(async (transaction) => {
      // Locked, so that concurrent posts count each other's messages.
      const session = await transaction.maybeOne(sql.type(nodeRow)`
        select node from mcp_sessions where id = ${id} and alive_until > now()
        for no key update`);
      if (!session) return "gone";
      const { messages, bytes } = await transaction.one(sql.type(pendingRow)`
        select count(*) as messages,
          coalesce(sum(octet_length(frame) + attachment_bytes), 0)::bigint as bytes
        from mcp_frames where session_id = ${id}`);
      const attachmentBytes = attachment?.byteLength ?? 0;
      const size = Buffer.byteLength(message) + attachmentBytes;
      if (messages + 1 > limits.messages || bytes + size > limits.bytes) return "full";
      const sent = await transaction.one(sql.type(idRow)`
        insert into mcp_frames (session_id, frame, is_reply, attachment_bytes)
        values (${id}, ${message}, ${isReply}, ${attachmentBytes})
        returning id`);
      for (const { start, chunk } of chunksOf(attachment ?? new Uint8Array())) {
        await transaction.query(sql.unsafe`
          insert into mcp_attachments (frame, start, piece)
          values (${sent.id}, ${start}, ${binary(chunk)})`);
      }
      await notify(transaction, `${session.node} ${id}`);
      return "posted";
    });

  return {
    /** Joins as a node; `listener` is called for its sessions and calls, in order. */
    async join(listener: McpListener) {
      const node = randomUUID();
      const open = new Set<string>();
      let last: Promise<void> = Promise.resolve();
      // Serial, to deliver messages in order.
      const deliver = (ids: readonly string[]) => {
        const turn = last.then(async () => {
          for (const found of await pendingMessages(ids)) {
            const attachment = await attachmentOf(found);
            if (!(await take(found.id))) continue;
            if (found.is_reply) listener.reply(found.session_id, found.frame);
            else listener.message(found.session_id, found.frame, attachment);
          }
        });
        last = turn.catch(() => undefined);
        return turn;
      };
      const deliverAll = () => deliver([...open]);
      const subscription = await listen(
        (payload) => {
          const [to, id = "", call = ""] = payload.split(" ");
          // After a failure, the next notification or renewal delivers the message.
          if (to === node) deliver([id]).catch(() => undefined);
          if (to === REVOKED) listener.keyRevoked(Number(id));
          if (to === CANCELLED) listener.callCancelled(Number(id), call);
        },
        () => deliverAll().catch(() => undefined),
      );
      return {
        /** Opens a session. Returns its id; null where the key has too many of them. */
        async open({ keyId, accountId, atMost }: NewSession) {
          const id = randomUUID();
          const opened = await pool.transaction(async (transaction) => {
            // Locked, so that concurrent calls count each other's sessions.
            await transaction.query(sql.unsafe`
              select from api_keys where id = ${keyId} for no key update`);
            return transaction.maybeOne(sql.type(sessionIdRow)`
              insert into mcp_sessions (id, account_id, key_id, node, alive_until)
              select ${id}, ${accountId}, ${keyId}, ${node}, ${alive}
              where (
                select count(*) from mcp_sessions where key_id = ${keyId} and alive_until > now()
              ) < ${atMost}
                and exists (
                  select from api_keys where id = ${keyId} and revoked_at is null)
              returning id`);
          });
          if (opened) open.add(id);
          return opened ? id : null;
        },
        async close(id: string) {
          open.delete(id);
          await pool.query(sql.unsafe`delete from mcp_sessions where id = ${id}`);
          await pool.query(sql.unsafe`delete from mcp_frames where session_id = ${id}`);
        },
        /**
         * To be called at least every 20 seconds, or the node's sessions count as dead. Returns the ids
         * of those that do so already.
         */
        async renew() {
          const ids = [...open];
          const renewed = await pool.any(sql.type(sessionIdRow)`
            update mcp_sessions set alive_until = ${alive}
            where id = any(${sql.array(ids, "uuid")})
            returning id`);
          await deliverAll();
          await pool.query(sql.unsafe`delete from mcp_sessions where alive_until < now()`);
          await pool.query(sql.unsafe`
            delete from mcp_frames where created_at < now() - ${`${MESSAGE_SECONDS} s`}::interval`);
          const found = new Set(renewed.map(({ id }) => id));
          return ids.filter((id) => open.has(id) && !found.has(id));
        },
        /** Closes the node's sessions to new messages; resolves once the posted ones are delivered. */
        async retire() {
          // Waits for the locks of posts in progress.
          await pool.query(sql.unsafe`delete from mcp_sessions where node = ${node}`);
          await deliverAll();
        },
        /** Ends all of the node's sessions. */
        async leave() {
          await subscription.close();
          await pool.query(sql.unsafe`
            delete from mcp_frames
            where session_id in (select id from mcp_sessions where node = ${node})`);
          await pool.query(sql.unsafe`delete from mcp_sessions where node = ${node}`);
        },
      };
    },

    /** The session, if its stream is open on any node. */
    find: (id: string) =>
      pool.maybeOne(sql.type(sessionRow)`
        select ${columnsOf(sessionRow)} from mcp_sessions
        where id = ${id} and alive_until > now()`),

    /** Sends a message, and bytes that belong to it, to the node that holds the session's stream. */
    post: (id: string, message: string, attachment: Uint8Array | null, limits: PendingLimits) =>
      send(id, message, limits, attachment),

    /** Sends a message to the session's client, by the node that holds its stream. */
    reply: (id: string, message: string, limits: PendingLimits) =>
      send(id, message, limits, null, true),

    /**
     * Notifies every node that a call of a key outside of sessions was cancelled. `call` names it,
     * without spaces and in at most 1,000 characters.
     */
    async cancelCall(keyId: number, call: string) {
      await notify(pool, `${CANCELLED} ${keyId} ${call}`);
    },
  };
}
