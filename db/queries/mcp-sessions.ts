/** MCP sessions whose stream is held by one of several nodes. */
import { randomUUID } from "node:crypto";
import { sql } from "slonik";
import Type from "typebox";
import { binary } from "../connection/binary.ts";
import type { Subscription } from "../connection/notifications.ts";
import { joinPieces, piecesOf } from "../connection/pieces.ts";
import { Bytes, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import type { Database } from "../types/index.ts";
import type { WaitingLimits } from "../types/records.ts";

/**
 * The channel on which nodes hear of frames for their sessions (`node session`), of keys that were
 * revoked (`revoked key`) and of calls that were cancelled (`cancelled key call`).
 */
export const FRAMES_CHANNEL = "mcp_frames";

const REVOKED = "revoked";
const CANCELLED = "cancelled";

/** A node renews its sessions more often than this; see `renew`. */
const ALIVE_SECONDS = 60;

/** Frames that nobody has fetched by now are for a stream that has gone. */
const FRAME_SECONDS = 120;

const sessionRow = row(
  Type.Object({ id: Type.String(), key_id: Type.Integer(), account_id: Type.Integer() }),
);
const idRow = row(Type.Object({ id: Type.String() }));
const nodeRow = row(Type.Object({ node: Type.String() }));
const frameRow = row(
  Type.Object({
    id: Type.Integer(),
    session_id: Type.String(),
    frame: Type.String(),
    is_reply: Type.Boolean(),
    attachment_bytes: Type.Integer(),
  }),
);
const pieceRow = row(Type.Object({ piece: Bytes }));
const waitingRow = row(Type.Object({ frames: Type.Integer(), bytes: Type.Integer() }));
const sentRow = row(Type.Object({ id: Type.Integer() }));

const alive = sql.fragment`now() + ${`${ALIVE_SECONDS} s`}::interval`;

const notify = (connection: Connection, payload: string) =>
  connection.query(sql.unsafe`select pg_notify(${FRAMES_CHANNEL}, ${payload})`);

/**
 * Ends the sessions and calls of keys on every node, once the transaction is committed.
 * @param keys the condition by which `api_keys` has them
 */
export async function endSessionsOf(
  transaction: Connection,
  keys: ReturnType<typeof sql.fragment>,
): Promise<void> {
  await transaction.query(sql.unsafe`
    delete from mcp_sessions where key_id in (select id from api_keys where ${keys})`);
  await transaction.query(sql.unsafe`
    select pg_notify(${FRAMES_CHANNEL}, ${`${REVOKED} `} || id) from api_keys where ${keys}`);
}

/**
 * @param listen subscribes to a channel
 */
export function mcpSessionQueries(
  pool: Connection,
  listen: (heard: (payload: string) => void, missed: () => void) => Promise<Subscription>,
): Database["mcpSessions"] {
  const waitingFrames = (ids: readonly string[]) =>
    pool.any(sql.type(frameRow)`
      select id, session_id, frame, is_reply, attachment_bytes from mcp_frames
      where session_id = any(${sql.array(ids, "uuid")}) order by id`);
  const attachmentOf = async ({
    id,
    attachment_bytes,
  }: {
    id: number;
    attachment_bytes: number;
  }) =>
    attachment_bytes === 0
      ? null
      : joinPieces(attachment_bytes, async (start) => {
          const found = await pool.maybeOne(sql.type(pieceRow)`
            select piece from mcp_attachments where frame = ${id} and start = ${start}`);
          return found?.piece;
        });
  /** Takes a frame from those that wait. Whether it was still there. */
  const take = async (id: number) => {
    const taken = await pool.query(sql.type(sentRow)`
      delete from mcp_frames where id = ${id} returning id`);
    return taken.rowCount > 0;
  };

  const send = (
    id: string,
    frame: string,
    atMost: WaitingLimits,
    attachment: Uint8Array | null,
    isReply = false,
  ) =>
    pool.transaction(async (transaction) => {
      // One post after the other: each sees what those before have sent.
      const session = await transaction.maybeOne(sql.type(nodeRow)`
        select node from mcp_sessions where id = ${id} and alive_until > now()
        for no key update`);
      if (!session) return "gone";
      const { frames, bytes } = await transaction.one(sql.type(waitingRow)`
        select count(*) as frames,
          coalesce(sum(octet_length(frame) + attachment_bytes), 0)::bigint as bytes
        from mcp_frames where session_id = ${id}`);
      const attachmentBytes = attachment?.byteLength ?? 0;
      const size = Buffer.byteLength(frame) + attachmentBytes;
      if (frames + 1 > atMost.frames || bytes + size > atMost.bytes) return "full";
      const sent = await transaction.one(sql.type(sentRow)`
        insert into mcp_frames (session_id, frame, is_reply, attachment_bytes)
        values (${id}, ${frame}, ${isReply}, ${attachmentBytes})
        returning id`);
      for (const { start, piece } of piecesOf(attachment ?? new Uint8Array())) {
        await transaction.query(sql.unsafe`
          insert into mcp_attachments (frame, start, piece)
          values (${sent.id}, ${start}, ${binary(piece)})`);
      }
      await notify(transaction, `${session.node} ${id}`);
      return "posted";
    });

  return {
    async join(heard) {
      const node = randomUUID();
      const open = new Set<string>();
      let last: Promise<void> = Promise.resolve();
      // One after the other: frames that are fetched at the same time could change places.
      const deliver = (ids: readonly string[]) => {
        const turn = last.then(async () => {
          for (const found of await waitingFrames(ids)) {
            const attachment = await attachmentOf(found);
            if (!(await take(found.id))) continue;
            if (found.is_reply) heard.reply(found.session_id, found.frame);
            else heard.frame(found.session_id, found.frame, attachment);
          }
        });
        last = turn.catch(() => undefined);
        return turn;
      };
      const deliverAll = () => deliver([...open]);
      const subscription = await listen(
        (payload) => {
          const [to, id = "", call = ""] = payload.split(" ");
          // What fails here is fetched with the next notification or renewal.
          if (to === node) deliver([id]).catch(() => undefined);
          if (to === REVOKED) heard.keyRevoked(Number(id));
          if (to === CANCELLED) heard.callCancelled(Number(id), call);
        },
        () => deliverAll().catch(() => undefined),
      );
      return {
        async open({ keyId, accountId, atMost }) {
          const id = randomUUID();
          const opened = await pool.transaction(async (transaction) => {
            // Of those that open at the same time, each sees the ones before.
            await transaction.query(sql.unsafe`
              select from api_keys where id = ${keyId} for no key update`);
            return transaction.maybeOne(sql.type(idRow)`
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
        async close(id) {
          open.delete(id);
          await pool.query(sql.unsafe`delete from mcp_sessions where id = ${id}`);
          await pool.query(sql.unsafe`delete from mcp_frames where session_id = ${id}`);
        },
        async renew() {
          const asked = [...open];
          const renewed = await pool.any(sql.type(idRow)`
            update mcp_sessions set alive_until = ${alive}
            where id = any(${sql.array(asked, "uuid")})
            returning id`);
          await deliverAll();
          await pool.query(sql.unsafe`delete from mcp_sessions where alive_until < now()`);
          await pool.query(sql.unsafe`
            delete from mcp_frames where created_at < now() - ${`${FRAME_SECONDS} s`}::interval`);
          const found = new Set(renewed.map(({ id }) => id));
          return asked.filter((id) => open.has(id) && !found.has(id));
        },
        async retire() {
          // Waits for frames that are just being posted.
          await pool.query(sql.unsafe`delete from mcp_sessions where node = ${node}`);
          await deliverAll();
        },
        async leave() {
          await subscription.close();
          await pool.query(sql.unsafe`
            delete from mcp_frames
            where session_id in (select id from mcp_sessions where node = ${node})`);
          await pool.query(sql.unsafe`delete from mcp_sessions where node = ${node}`);
        },
      };
    },

    find: (id) =>
      pool.maybeOne(sql.type(sessionRow)`
        select id, key_id, account_id from mcp_sessions where id = ${id} and alive_until > now()`),

    post: (id, frame, attachment, atMost) => send(id, frame, atMost, attachment),
    reply: (id, message, atMost) => send(id, message, atMost, null, true),

    async cancelCall(keyId, call) {
      await notify(pool, `${CANCELLED} ${keyId} ${call}`);
    },
  };
}
