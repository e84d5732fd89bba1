/** The worker of products: draws orders one after the other, once their maps are there. */
import { createRunner } from "../../engine/core.ts";
import type { MockupMap } from "../../engine/mockup-core.ts";
import { createProductDrawer } from "./draw-product.ts";
import { createLevels, type Levels } from "./levels.ts";
import { createMaps } from "./product-maps.ts";
import type { FromMockupWorker, MockupOrder, ToMockupWorker } from "./protocol.ts";
import { receiveMessages } from "./turns.ts";
import { failureOf } from "./worker-error.ts";

/** The lane that is served first. */
const FIRST = "product";

interface Ready {
  readonly order: MockupOrder;
  readonly map: MockupMap;
}

/** Orders whose maps are there, by lane, oldest first. */
const waiting = new Map<string, Ready>();
/** Numbers of the newest orders by lane, and of the newest that were drawn. */
const newest = new Map<string, number>();
const drawn = new Map<string, number>();
let levels: Levels | undefined;
let mapOf: ReturnType<typeof createMaps> | undefined;
let draw: ReturnType<typeof createProductDrawer> | undefined;
let isWorking = false;

addEventListener("message", ({ data }: MessageEvent<ToMockupWorker>) => {
  if (data.kind === "draw") return void prepare(data.order);
  levels = createLevels(data.port);
  mapOf = createMaps(data.maps);
  draw = createProductDrawer(createRunner("webasm", ""), levels);
});

/** Has an order drawn once its map is there. */
async function prepare(order: MockupOrder): Promise<void> {
  newest.set(order.lane, order.number);
  try {
    const map = await mapOf?.(order);
    if (map !== undefined) enqueue({ order, map });
  } catch (error) {
    postFailure(order, error);
  }
}

/** Maps come in any order: what is older than the picture that is shown is not drawn any more. */
function enqueue(ready: Ready): void {
  const { lane, number } = ready.order;
  const other = waiting.get(lane)?.order.number ?? drawn.get(lane) ?? 0;
  if (number < other) return;
  waiting.set(lane, ready);
  void work();
}

async function work(): Promise<void> {
  if (isWorking) return;
  isWorking = true;
  for (;;) {
    const ready = waiting.get(FIRST) ?? waiting.values().next().value;
    if (ready === undefined || draw === undefined) break;
    waiting.delete(ready.order.lane);
    await serve(ready, draw);
    await receiveMessages();
  }
  isWorking = false;
}

/** The design has changed since a picture was ordered. */
class Outdated extends Error {}

async function serve(ready: Ready, draw: ReturnType<typeof createProductDrawer>): Promise<void> {
  const { lane, number, source, isDraft } = ready.order;
  // Drafts follow a hand: each is outdated when it is shown.
  const checkpoint = async () => {
    if (isDraft) return;
    await receiveMessages();
    if (newest.get(lane) !== number) throw new Outdated();
  };
  try {
    const { image, missing } = await draw(ready.order, ready.map, checkpoint);
    const picture = await createImageBitmap(image, { colorSpaceConversion: "none" });
    drawn.set(lane, number);
    const isLess = isDraft || missing !== null || source.file !== undefined;
    post({ kind: "picture", lane, number, picture, isDraft: isLess }, [picture]);
    if (missing !== null) void refine(ready, missing);
  } catch (error) {
    if (!(error instanceof Outdated)) postFailure(ready.order, error);
  }
}

/** Has a level made, and draws the order again unless there is a newer one. */
async function refine(ready: Ready, missing: number): Promise<void> {
  try {
    await levels?.refine(ready.order.source, missing);
    enqueue(ready);
  } catch (error) {
    postFailure(ready.order, error);
  }
}

function postFailure({ lane, number }: MockupOrder, error: unknown): void {
  post({ kind: "failure", lane, number, failure: failureOf(error) });
}

const post = (message: FromMockupWorker, transfer: Transferable[] = []) =>
  postMessage(message, { transfer });
