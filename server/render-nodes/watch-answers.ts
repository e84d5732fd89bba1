/** Asks the render nodes whether they take calls. */
import type { NodeClient } from "./node-client.ts";
import type { NodeList } from "./node-list.ts";
import type { RenderNode } from "./render-node.ts";

interface Intervals {
  /** In milliseconds, as below. */
  readonly askMs: number;
  readonly lateMs: number;
}

/**
 * Asks each node every `askMs`, all at the same time, until the returned function is called. A node that has not answered
 * after `lateMs` counts as silent, until its answer comes.
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
      node.wasSilent(new Error(`it has not answered for ${lateMs / 1000} s`));
    }, lateMs);
    try {
      if (await client.ping(node, stop.signal)) node.answered();
      else node.stops();
    } catch (error) {
      if (!stop.signal.aborted) node.wasSilent(error);
    }
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
