/** A mockup on every available backend. */
import t from "tap";
import { makeMap } from "../../../engine/mockups/make-map.ts";
import { printOf } from "../../../engine/mockups/print.ts";
import { rasterise } from "../../../engine/mockups/rasterise.ts";
import { scenes } from "../../../scenes/index.ts";
import { mapOf } from "../../helpers/mockups.ts";
import { backends } from "../../shaders/backends.ts";

const never = async () => undefined;

t.test("all backends draw the same mug, opaque and transparent", async (t) => {
  const side = 64;
  const colour = Float32Array.from({ length: side * side }, (_, i) =>
    (((i % side) >> 3) + (i >> 9)) % 2 === 0 ? 0xf0e0d0 : 0x102030,
  );
  const alpha = colour.map((_, i) => i % 256);
  const map = mapOf(await makeMap(scenes.mug(), 200, never));
  const { reference, others } = await backends(t);
  for (const samples of [
    { colour, alpha: null },
    { colour, alpha },
  ]) {
    const print = printOf(samples, side, { width: 36, height: 36, repeats: !samples.alpha });
    const expected = await rasterise(reference, map, print, never);
    for (const other of others) {
      const found = await rasterise(other, map, print, never);
      const worst = found.reduce(
        (most, value, i) => Math.max(most, Math.abs(value - expected[i])),
        0,
      );
      t.ok(worst <= 1, `${other.backend}: ${worst} apart`);
    }
  }
});
