/** The order in which the editor renders pictures. */
import t from "tap";
import { FIRST_DRAFT } from "../../editor/app/draft.ts";
import { createOrderQueue } from "../../editor/engine/order-queue.ts";
import type { Order } from "../../editor/engine/protocol.ts";

const order = (number: number, fields: Partial<Order> = {}): Order => ({
  lane: "pattern",
  number,
  design: FIRST_DRAFT.design,
  source: { id: 7, sha256: "ab".repeat(32), width: 640, height: 480 },
  fields: {},
  scale: 1,
  isDraft: false,
  ...fields,
});

const NO_TURNS = {
  receiveMessages: async () => undefined,
  receiveMessagesNowAndThen: async () => undefined,
};

const preview = (number: number, lane = "preview p4") => order(number, { lane });
const draft = (number: number) => order(number, { scale: 1 / 4, isDraft: true });

/** An open queue, whose pictures take two steps, each of which a test ends. */
function createSteps(quietMs = 10) {
  const begun: number[] = [];
  const done: number[] = [];
  let endStep: (() => void) | undefined;
  const step = () =>
    new Promise<void>((resolve) => {
      endStep = resolve;
    });
  const serve = async ({ number }: Order) => {
    begun.push(number);
    await step();
    await queue.checkpoint();
    await step();
    done.push(number);
  };
  const queue = createOrderQueue(serve, NO_TURNS, quietMs);
  queue.open();
  const end = async () => {
    endStep?.();
    await new Promise(setImmediate);
  };
  return { queue, begun, done, end };
}

/** Waits until a condition holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

t.test("the pattern goes before previews, and a newer order replaces one that waits", async (t) => {
  const { queue, begun, done, end } = createSteps();
  queue.take(preview(1));
  queue.take(preview(2, "preview p6"));
  queue.take(preview(3, "preview p6"));
  await end();
  queue.take(order(4));
  await end();
  t.same([begun, done], [[1, 4], [1]]);
  await end();
  await end();
  await until(() => begun.length === 3);
  t.same(
    [begun, done],
    [
      [1, 4, 3],
      [1, 4],
    ],
  );
});

t.test("a preview that the pattern overtakes is rendered once nothing moves", async (t) => {
  const { queue, begun, done, end } = createSteps(1000);
  queue.take(preview(1));
  queue.take(draft(2));
  await end();
  t.same([begun, done], [[1, 2], []]);
  await end();
  await end();
  t.same([begun, done], [[1, 2], [2]], "no preview is begun at once");
  await until(() => begun.length === 3);
  await end();
  await end();
  t.same(
    [begun, done],
    [
      [1, 2, 1],
      [2, 1],
    ],
  );
});

t.test("a newer preview of the same canvas replaces one that the pattern overtook", async (t) => {
  const { queue, begun, end } = createSteps();
  queue.take(preview(1));
  queue.take(order(2));
  queue.take(preview(3));
  await end();
  await end();
  await end();
  await until(() => begun.length === 3);
  t.same(begun, [1, 2, 3]);
});

t.test("drafts overtake the whole pattern, and nothing overtakes a draft", async (t) => {
  const { queue, begun, done, end } = createSteps();
  queue.take(order(1));
  queue.take(draft(2));
  await end();
  queue.take(draft(3));
  await end();
  await end();
  t.same([begun, done], [[1, 2, 3], [2]]);
});

t.test(
  "whole patterns do not overtake each other: each frame of a drag may have one",
  async (t) => {
    const { queue, begun, done, end } = createSteps();
    queue.take(order(1));
    queue.take(order(2));
    await end();
    await end();
    t.same([begun, done], [[1, 2], [1]]);
  },
);

t.test("nothing is rendered before the queue is opened", async (t) => {
  const begun: number[] = [];
  const queue = createOrderQueue(async ({ number }) => void begun.push(number), NO_TURNS);
  queue.take(order(1));
  await new Promise(setImmediate);
  t.same(begun, []);
  queue.open();
  await new Promise(setImmediate);
  t.same(begun, [1]);
});

t.test("previews do not wait longer for a better picture of the same change", async (t) => {
  const { queue, begun, end } = createSteps(1000);
  queue.take(draft(1));
  queue.take(preview(2));
  await end();
  await end();
  await until(() => begun.length === 2);
  queue.take(order(1));
  await end();
  await end();
  await end();
  t.same(begun, [1, 2, 1, 2]);
});
