/** The worker of products: draws them with the maps of the service. */
import { createRunner } from "../../engine/core.ts";
import { createProductDrawer } from "./draw-product.ts";
import { createLevels } from "./levels.ts";
import { createPixelBuffers } from "./pixel-buffers.ts";
import { createMaps } from "./product-maps.ts";
import { createProductQueue } from "./product-queue.ts";
import type { FromMockupWorker, ToMockupWorker } from "./protocol.ts";
import { turns } from "./turns.ts";

const buffers = createPixelBuffers();
let draw: ReturnType<typeof start> | undefined;

addEventListener("message", ({ data }: MessageEvent<ToMockupWorker>) => {
  if (data.kind === "start") draw = start(data);
  else if (data.kind === "give back") buffers.giveBack(data.buffer);
  else draw?.(data.order);
});

function start({ maps, port }: Extract<ToMockupWorker, { kind: "start" }>) {
  const levels = createLevels(port);
  return createProductQueue({
    mapOf: createMaps(maps),
    draw: createProductDrawer(createRunner("webasm", ""), levels, buffers),
    refine: ({ source }, level) => levels.refine(source, level),
    post: (message: FromMockupWorker, transfer: Transferable[] = []) =>
      postMessage(message, { transfer }),
    turns,
  });
}
