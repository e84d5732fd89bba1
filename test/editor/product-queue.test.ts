/** The order in which the editor draws products. */
import t from "tap";
import { FIRST_DRAFT } from "../../editor/app/draft.ts";
import { createProductQueue, type ProductQueueOptions } from "../../editor/engine/product-queue.ts";
import type { FromMockupWorker, MockupOrder } from "../../editor/engine/protocol.ts";

type Drawn = Awaited<ReturnType<ProductQueueOptions["draw"]>>;
type Map = Awaited<ReturnType<ProductQueueOptions["mapOf"]>>;

const NO_TURNS = {
  receiveMessages: async () => undefined,
  receiveMessagesNowAndThen: async () => undefined,
};

const SOURCE = { id: 7, sha256: "ab".repeat(32), width: 640, height: 480 };

const order = (number: number, fields: Partial<MockupOrder> = {}): MockupOrder => ({
  lane: "product",
  number,
  design: FIRST_DRAFT.design,
  source: SOURCE,
  product: { id: "mug", print_mm: { width: 200, height: 90 }, cell_mm: 40 },
  side: "800",
  isDraft: false,
  ...fields,
});

const drawn = (missing: number | null): Drawn => ({
  picture: { width: 1, height: 1, buffer: new ArrayBuffer(4) },
  missing,
});

/** A queue that waits for a test in each of its steps. */
function createSteps() {
  const posted: FromMockupWorker[] = [];
  const steps = new Map<string, PromiseWithResolvers<unknown>>();
  const step = (name: string) => {
    const known = steps.get(name) ?? Promise.withResolvers<unknown>();
    steps.set(name, known);
    return known;
  };
  const queue = createProductQueue({
    mapOf: ({ number }) => step(`map ${number}`).promise as Promise<Map>,
    draw: async ({ number }, _, checkpoint) => {
      const drawn = await step(`draw ${number}`).promise;
      steps.delete(`draw ${number}`);
      await checkpoint();
      return drawn as Drawn;
    },
    refine: ({ number }) => step(`refine ${number}`).promise as Promise<void>,
    post: (message) => posted.push(message),
    turns: NO_TURNS,
  });
  const end = async (name: string, value: unknown = {}) => {
    step(name).resolve(value);
    await new Promise(setImmediate);
  };
  const shown = () =>
    posted.map((one) => `${one.number}${one.kind === "picture" && one.isDraft ? " draft" : ""}`);
  return { queue, end, shown };
}

t.test("a draft whose map comes late does not replace the finished picture", async (t) => {
  const { queue, end, shown } = createSteps();
  queue(order(1, { side: "400", isDraft: true }));
  queue(order(2));
  await end("map 2");
  await end("map 1");
  await end("draw 2", drawn(null));
  await end("draw 1", drawn(null));
  t.same(shown(), ["2"]);
});

t.test("a file's finer level does not replace the picture of its source", async (t) => {
  const { queue, end, shown } = createSteps();
  queue(order(1, { source: { ...SOURCE, file: new Blob() } }));
  await end("map 1");
  await end("draw 1", drawn(2));
  queue(order(2));
  await end("map 2");
  await end("refine 1");
  await end("draw 2", drawn(null));
  await end("draw 1", drawn(null));
  t.same(shown(), ["1 draft", "2"]);
});

t.test("a picture is drawn again once the level that it lacks is there", async (t) => {
  const { queue, end, shown } = createSteps();
  queue(order(1));
  await end("map 1");
  await end("draw 1", drawn(2));
  await end("refine 1");
  await end("draw 1", drawn(null));
  t.same(shown(), ["1 draft", "1"]);
});

t.test("a picture that is no longer wanted is not finished, but a draft is", async (t) => {
  const { queue, end, shown } = createSteps();
  queue(order(1, { isDraft: true }));
  await end("map 1");
  queue(order(2));
  await end("draw 1", drawn(null));
  await end("map 2");
  queue(order(3));
  await end("draw 2", drawn(null));
  await end("map 3");
  await end("draw 3", drawn(null));
  t.same(shown(), ["1 draft", "3"]);
});
