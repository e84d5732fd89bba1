/** The render nodes that this process knows of, and what it has them do. */
import { hash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Database, RenderNodeRow } from "../../db/index.ts";
import type { Log } from "../actions/log.ts";
import { withTimeLimit } from "../actions/time-limit.ts";
import { buildOf } from "./protocol.ts";
import { RenderNode } from "./render-node.ts";

/** How often the nodes are looked up. */
const LOOK_UP_MS = 1000;

/** After so long another try is made: a query on a connection that was cut off ends much later. */
const LOOK_UP_LIMIT_MS = 3000;

/** How often a call that waits for a node looks for one. */
const WAIT_MS = 100;

export interface NodeList {
  /** Those of the same build, see `buildOf`. */
  readonly nodes: readonly RenderNode[];
  /**
   * Resolves with the node that has the fewest calls for each of its threads, of those that take any, and counts one more;
   * among equals, the same one for the same `subject`, which it may have kept. Null if none but the one to `avoid` comes
   * until `untilMs`, on the clock of `performance.now`. Throws the signal's reason.
   */
  choose(wanted: Choice): Promise<RenderNode | null>;
  close(): void;
}

export interface Choice {
  readonly subject: string;
  readonly avoid: RenderNode | null;
  readonly untilMs: number;
  readonly signal: AbortSignal;
}

/** Looks the nodes up now and then. Rejects where the first time fails. */
export async function watchRenderNodes(
  db: Pick<Database, "renderNodes">,
  version: string,
  log: Pick<Log, "info" | "warn">,
): Promise<NodeList> {
  const build = buildOf(version);
  let nodes: RenderNode[] = [];
  let logged = "";
  const note = (text: string, isGood: boolean) => {
    if (text === logged) return;
    logged = text;
    if (isGood) log.info(text);
    else log.warn(text);
  };
  const update = (rows: readonly RenderNodeRow[]) => {
    nodes = rows
      .filter(({ engine }) => engine === build)
      .map((row) => nodes.find(({ id }) => id === row.id) ?? new RenderNode(row, log));
    const others = [...new Set(rows.map(({ engine }) => engine))].join(", ");
    const urls = nodes.map(({ url }) => url).join(", ");
    if (nodes.length > 0) note(`renders at ${urls}`, true);
    else if (rows.length === 0) note("there is no render node", false);
    else note(`there is no render node with the engine ${build}, only ${others}`, false);
  };
  update(await db.renderNodes.list());
  let isLookingUp = false;
  const timer = setInterval(async () => {
    if (isLookingUp) return;
    isLookingUp = true;
    try {
      update(await withTimeLimit(db.renderNodes.list(), LOOK_UP_LIMIT_MS));
    } catch (error) {
      // Those that are known may well be there.
      note(`render nodes could not be looked up: ${error}`, false);
    }
    isLookingUp = false;
  }, LOOK_UP_MS).unref();

  return {
    get nodes() {
      return nodes;
    },
    async choose({ subject, avoid, untilMs, signal }) {
      for (;;) {
        signal.throwIfAborted();
        const free = nodes.filter((node) => node !== avoid && node.takesCalls);
        const chosen = leastLoaded(free, subject);
        // At once: further calls may be choosing in the same turn.
        chosen?.begin();
        if (chosen !== null || performance.now() >= untilMs) return chosen;
        await delay(WAIT_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    },
    close: () => clearInterval(timer),
  };
}

/** Among those with the least load, the one with the highest weight (rendezvous hashing). */
function leastLoaded(nodes: readonly RenderNode[], subject: string): RenderNode | null {
  const loadOf = ({ outstanding, threads }: RenderNode) => outstanding / threads;
  const least = Math.min(...nodes.map(loadOf));
  const equals = nodes.filter((node) => loadOf(node) === least);
  const [only] = equals;
  if (equals.length <= 1) return only ?? null;
  const weigh = ({ id }: RenderNode) => hash("sha1", `${id} ${subject}`);
  const weighed = equals.map((node) => ({ node, weight: weigh(node) }));
  return weighed.reduce((one, other) => (other.weight > one.weight ? other : one)).node;
}
