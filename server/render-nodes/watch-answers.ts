/** Asks the render nodes whether they take calls. */
import type { NodeClient } from "./node-client.ts";
import type { NodeList, RenderNode } from "./node-list.ts";

interface Intervals {
  /** In milliseconds, as below. */
  readonly askMs: number;
  readonly lateMs: number;
}

/**
 * Asks each node every `askMs`, all at the same time, until the returned function is called. A node that has not answered
 * after `lateMs` counts as one that does not, until its answer comes.
 */
export function watchAnswers(
  list: Pick<NodeList, "nodes">,
  client: Pick<NodeClient, "ping">,
  { askMs, lateMs }: Intervals,
): () => void {
  const asked = new Set<RenderNode>();
  const stop = new AbortController();
  const ask = async (node: RenderNode) => {
    asked.add(node);
    const late = setTimeout(() => {
      node.answers = false;
    }, lateMs);
    node.answers = await client.ping(node, stop.signal).then(
      () => true,
      () => false,
    );
    clearTimeout(late);
    asked.delete(node);
  };
  const timer = setInterval(() => {
    for (const node of list.nodes) if (!asked.has(node)) void ask(node);
  }, askMs).unref();
  return () => {
    clearInterval(timer);
    stop.abort();
  };
}
