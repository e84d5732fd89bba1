/** The engine's worker: renders orders one after the other, the pattern before its previews. */
import { createRunner } from "../../engine/core.ts";
import { createLevels } from "./levels.ts";
import type { FromWorker, Order, ToWorker } from "./protocol.ts";
import { createTileRenderer } from "./render-tile.ts";

/** The lane that is served first. */
const FIRST = "pattern";

/** Orders by lane, oldest first. */
const waiting = new Map<string, Order>();
let render: ReturnType<typeof createTileRenderer> | undefined;
let isWorking = false;

const runner = createRunner("webasm", "");

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "start") {
    render = createTileRenderer(runner, createLevels(data.access), receiveMessages);
    return;
  }
  waiting.delete(data.order.lane);
  waiting.set(data.order.lane, data.order);
  void work();
});

async function work(): Promise<void> {
  if (isWorking) return;
  isWorking = true;
  for (;;) {
    const order = waiting.get(FIRST) ?? waiting.values().next().value;
    if (order === undefined || render === undefined) break;
    waiting.delete(order.lane);
    await serve(order, render);
    await receiveMessages();
  }
  isWorking = false;
}

async function serve(order: Order, render: (order: Order) => Promise<ImageData>): Promise<void> {
  const { lane, number } = order;
  try {
    // A canvas that draws in 2D would multiply colours by alpha and lose their last bits.
    const picture = await createImageBitmap(await render(order), {
      premultiplyAlpha: "none",
      colorSpaceConversion: "none",
    });
    post({ kind: "picture", order: { lane, number }, picture, backend: runner.backend }, [picture]);
  } catch (error) {
    post({
      kind: "failure",
      order: { lane, number },
      message: error instanceof Error ? error.message : String(error),
    });
  }
}

const post = (message: FromWorker, transfer: Transferable[] = []) =>
  postMessage(message, { transfer });

const { port1, port2 } = new MessageChannel();

/** Resolves in a later turn of the event loop. Timers would wait 4 ms. */
function receiveMessages(): Promise<void> {
  return new Promise((resolve) => {
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });
}
