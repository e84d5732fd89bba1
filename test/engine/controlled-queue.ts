import { createQueue, type QueueTimes } from "../../engine/pool/queue.ts";
import type { Ticket } from "../../engine/pool/ticket.ts";

export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A queue whose jobs end on request, and the order in which they started. */
export function staged(width: number, length: number, times?: QueueTimes) {
  const queue = createQueue(width, length, times);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (name: string, ticket: Partial<Ticket> = {}) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const job = () => {
      begun.push(name);
      ends.set(name, () => resolve(name));
      return promise;
    };
    const result = queue.run(job, { owner: "anybody", cost: 1, ...ticket });
    result.catch(() => undefined);
    return result;
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    ends.delete(name);
    await settled();
  };
  /** Ends running jobs until none runs. */
  const endAll = async () => {
    while (ends.size > 0) for (const name of [...ends.keys()]) await end(name);
  };
  return { queue, begun, ask, end, endAll };
}
