/** MCP sessions whose stream is held by one of several nodes. */
import { randomUUID } from "node:crypto";
import { sql } from "slonik";
import Type from "typebox";
import type { Connection } from "../connection.ts";
import type { Database } from "../door.ts";
import type { Subscription } from "../notifications.ts";
import { row } from "../row.ts";

/** The channel on which nodes are told of frames, with `node session`. */
export const FRAMES_CHANNEL = "mcp_frames";

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
  Type.Object({ id: Type.Integer(), session_id: Type.String(), frame: Type.String() }),
);
const countRow = row(Type.Object({ count: Type.Integer() }));

const alive = sql.fragment`now() + ${`${ALIVE_SECONDS} s`}::interval`;

/**
 * @param listen subscribes to a channel
 */
export function mcpSessionQueries(
  pool: Connection,
  listen: (heard: (payload: string) => void, missed: () => void) => Promise<Subscription>,
): Database["mcpSessions"] {
  const fetchFrames = async (ids: readonly string[]) => {
    const frames = await pool.any(sql.type(frameRow)`
      delete from mcp_frames where session_id = any(${sql.array(ids, "uuid")})
      returning id, session_id, frame`);
    return frames.toSorted((a, b) => a.id - b.id);
  };

  return {
    async join(heard) {
      const node = randomUUID();
      const open = new Set<string>();
      let last: Promise<void> = Promise.resolve();
      // One after the other: frames that are fetched at the same time could change places.
      const deliver = (ids: readonly string[]) => {
        const turn = last.then(async () => {
          for (const { session_id, frame } of await fetchFrames(ids)) heard(session_id, frame);
        });
        last = turn.catch(() => undefined);
        return turn;
      };
      const deliverAll = () => deliver([...open]);
      const subscription = await listen(
        (payload) => {
          const [to = "", id = ""] = payload.split(" ");
          // What fails here is fetched with the next notification or renewal.
          if (to === node) deliver([id]).catch(() => undefined);
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

    post: (id, frame, waitingAtMost) =>
      pool.transaction(async (transaction) => {
        const session = await transaction.maybeOne(sql.type(nodeRow)`
          select node from mcp_sessions where id = ${id} and alive_until > now()`);
        if (!session) return "gone";
        const { count } = await transaction.one(sql.type(countRow)`
          select count(*) from mcp_frames where session_id = ${id}`);
        if (count >= waitingAtMost) return "full";
        await transaction.query(sql.unsafe`
          insert into mcp_frames (session_id, frame) values (${id}, ${frame})`);
        await transaction.query(sql.unsafe`
          select pg_notify(${FRAMES_CHANNEL}, ${`${session.node} ${id}`})`);
        return "posted";
      }),
  };
}
