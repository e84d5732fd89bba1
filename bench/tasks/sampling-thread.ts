/** A worker thread that samples every pixel of a tile on the CPU on request. */
import { parentPort, workerData } from "node:worker_threads";
import { openBackend } from "../../engine/backend.ts";
import { plainDesign } from "../../engine/recipe/index.ts";
import { everyPixel } from "../cases/every-pixel.ts";
import { asUpload, contextOf } from "../cases/in-thread-engine.ts";
import { photoLike } from "../pictures/photo-like.ts";

const { size, source }: { readonly size: number; readonly source: number } = workerData;
const context = contextOf(await openBackend("webasm"));
const upload = asUpload(photoLike(source));

parentPort?.on("message", async () => {
  await everyPixel(context, plainDesign("p1"), upload, size);
  parentPort?.postMessage("sampled");
});
