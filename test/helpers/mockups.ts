/** Scenes rasterised by their maps, in the test's own thread. */
import type { Test } from "tap";
import { openBackend } from "../../engine/backend.ts";
import { makeMap } from "../../engine/mockups/make-map.ts";
import { openMap } from "../../engine/mockups/map.ts";
import { type Print, printOf } from "../../engine/mockups/print.ts";
import { rasterise } from "../../engine/mockups/rasterise.ts";
import type { Scene } from "../../scenes/scene.ts";

const never = async () => undefined;

/** Returns a function that makes a scene's map and draws the scene with a print. */
export async function createRasteriser(t: Test) {
  const runner = await openBackend("webasm");
  t.teardown(() => runner.close());
  return async (scene: Scene, print: Print, size: number, checkpoint = never) => {
    const map = mapOf(await makeMap(scene, size, never));
    return rasterise(runner, map, print, checkpoint);
  };
}

/** A map in memory. */
export function mapOf(pieces: readonly Uint8Array[]) {
  const bytes = Buffer.concat(pieces);
  return openMap((into, at) => into.set(bytes.subarray(at, at + into.length)));
}

/** Black and white squares without anything between: nothing shows a displacement as much. */
export function checkerboard(mm: number): Print {
  const side = 64;
  const colour = Float32Array.from({ length: side * side }, (_, i) =>
    (((i % side) >> 3) + (i >> 9)) % 2 === 0 ? 0xffffff : 0,
  );
  return printOf({ colour, alpha: null }, side, { width: mm, height: mm, repeats: true });
}

/** A print of one colour. */
export const plainPrint = (packed: number): Print =>
  printOf({ colour: Float32Array.of(packed), alpha: null }, 1, {
    width: 1,
    height: 1,
    repeats: true,
  });
