/** Orders of pictures of products: drawn one after the other once their maps are there. */
import type { MockupMap } from "../../engine/mockup-core.ts";
import type { DrawnProduct } from "./draw-product.ts";
import type { FromMockupWorker, MockupOrder } from "./protocol.ts";
import type { Turns } from "./turns.ts";
import { failureOf } from "./worker-error.ts";

/** The lane that is served first. */
const FIRST = "product";

interface Ready {
  readonly order: MockupOrder;
  readonly map: MockupMap;
}

export interface ProductQueueOptions {
  readonly mapOf: (order: MockupOrder) => Promise<MockupMap>;
  /** @param checkpoint rejects where the picture is no longer wanted */
  readonly draw: (
    order: MockupOrder,
    map: MockupMap,
    checkpoint: () => Promise<void>,
  ) => Promise<DrawnProduct>;
  /** Has a level made that a picture lacked. */
  readonly refine: (order: MockupOrder, level: number) => Promise<void>;
  readonly post: (message: FromMockupWorker, transfer?: Transferable[]) => void;
  readonly turns: Turns;
}

/** The design has changed since a picture was ordered. */
class Outdated extends Error {}

/** Returns a function that has an order drawn. What is drawn, and what fails, is posted. */
export function createProductQueue(options: ProductQueueOptions): (order: MockupOrder) => void {
  const { mapOf, draw, post, turns } = options;
  /** Orders whose maps are there, by lane, oldest first. */
  const waiting = new Map<string, Ready>();
  /** Numbers of the newest orders by lane, and of the newest that were drawn. */
  const newest = new Map<string, number>();
  const drawn = new Map<string, number>();
  let isWorking = false;

  async function prepare(order: MockupOrder): Promise<void> {
    newest.set(order.lane, order.number);
    try {
      enqueue({ order, map: await mapOf(order) });
    } catch (error) {
      postFailure(order, error);
    }
  }

  /** Maps and levels come in any order: an order does not replace a newer one. */
  function enqueue(ready: Ready): void {
    const { lane, number } = ready.order;
    if (number < (waiting.get(lane)?.order.number ?? 0)) return;
    waiting.set(lane, ready);
    void work();
  }

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    for (;;) {
      const ready = waiting.get(FIRST) ?? waiting.values().next().value;
      if (ready === undefined) break;
      const { lane, number } = ready.order;
      waiting.delete(lane);
      // A newer order may have been drawn while this one waited.
      if (number < (drawn.get(lane) ?? 0)) continue;
      await serve(ready);
      await turns.receiveMessages();
    }
    isWorking = false;
  }

  async function serve(ready: Ready): Promise<void> {
    const { lane, number, source, isDraft } = ready.order;
    // Drafts follow a hand: each is outdated when it is shown.
    const checkpoint = async () => {
      if (isDraft) return;
      await turns.receiveMessagesNowAndThen();
      if (newest.get(lane) !== number) throw new Outdated();
    };
    try {
      const { picture, missing } = await draw(ready.order, ready.map, checkpoint);
      drawn.set(lane, number);
      const isLess = isDraft || missing !== null || source.file !== undefined;
      post({ kind: "picture", lane, number, picture, isDraft: isLess }, [picture.buffer]);
      if (missing !== null) void refine(ready, missing);
    } catch (error) {
      if (!(error instanceof Outdated)) postFailure(ready.order, error);
    }
  }

  /** Has a level made, and draws the order again unless there is a newer one. */
  async function refine(ready: Ready, missing: number): Promise<void> {
    try {
      await options.refine(ready.order, missing);
      enqueue(ready);
    } catch (error) {
      postFailure(ready.order, error);
    }
  }

  function postFailure({ lane, number }: MockupOrder, error: unknown): void {
    post({ kind: "failure", lane, number, failure: failureOf(error) });
  }

  return (order) => void prepare(order);
}
