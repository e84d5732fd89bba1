/** Orders of pictures: rendered one after the other, the pattern before its previews. */
import type { Order } from "./protocol.ts";
import type { Turns } from "./turns.ts";

/** The lane that is served first. */
const FIRST = "pattern";

/** Milliseconds after a change of the pattern in which no preview is begun: a hand that moves makes more of them. */
const QUIET_MS = 100;

/** A more urgent order than the one that is rendered has come. */
export class Overtaken extends Error {}

/**
 * Creates a queue, which serves nothing before it is opened.
 * @param serve renders an order; rejects with `Overtaken` if the queue's checkpoint does, and with nothing else
 */
export function createOrderQueue(
  serve: (order: Order) => Promise<void>,
  turns: Turns,
  quietMs = QUIET_MS,
) {
  /** Orders by lane, oldest first. */
  const waiting = new Map<string, Order>();
  let current: Order | undefined;
  let isOpen = false;
  /** Number of the newest order of the pattern. */
  let newest = 0;
  let quietUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const next = (): Order | undefined => {
    const isQuiet = performance.now() < quietUntil;
    return waiting.get(FIRST) ?? (isQuiet ? undefined : waiting.values().next().value);
  };

  async function work(): Promise<void> {
    if (current !== undefined || !isOpen) return;
    try {
      for (let order = next(); order !== undefined; order = next()) {
        waiting.delete(order.lane);
        current = order;
        await serveUnlessOvertaken(order);
        await turns.receiveMessages();
      }
    } finally {
      current = undefined;
    }
    clearTimeout(timer);
    if (waiting.size > 0) timer = setTimeout(work, quietUntil - performance.now());
  }

  async function serveUnlessOvertaken(order: Order): Promise<void> {
    try {
      await serve(order);
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      // A newer one of its lane may have come.
      if (!waiting.has(order.lane)) waiting.set(order.lane, order);
    }
  }

  return {
    /** Adds an order, which replaces one of its lane that waits. */
    take(order: Order): void {
      waiting.delete(order.lane);
      waiting.set(order.lane, order);
      // A better picture of a change has the number of its draft.
      if (order.lane === FIRST && order.number > newest) {
        newest = order.number;
        quietUntil = performance.now() + quietMs;
      }
      void work();
    },
    /**
     * Lets messages be received while an order is rendered. Rejects with `Overtaken` if the pattern is ordered meanwhile, and
     * what is rendered is a preview, or the whole pattern while only drafts can follow the hand.
     */
    async checkpoint(): Promise<void> {
      await turns.receiveMessagesNowAndThen();
      const first = waiting.get(FIRST);
      if (first === undefined || current === undefined) return;
      if (current.lane !== FIRST || (first.isDraft && !current.isDraft)) throw new Overtaken();
    },
    has: (lane: string) => waiting.has(lane),
    open(): void {
      isOpen = true;
      void work();
    },
  };
}
