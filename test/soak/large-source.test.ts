import t from "tap";
import { bytesOf, request, testEngine } from "../helpers/engine.ts";
import { pngOf, rasterOf } from "../helpers/pictures.ts";

t.test("reads pixels beyond number 2²⁴ of a source", async (t) => {
  const engine = await testEngine(t);
  const side = 2800;
  for (const channels of [3, 4] as const) {
    const pixels = new Uint8Array(side * side * channels);
    for (let i = 0; i < pixels.length; i += channels) {
      pixels.set(channels === 3 ? [200, 100, 50] : [200, 100, 50, 128], i);
    }
    const source = pngOf({ width: side, height: side, channels, pixels });
    const parts = { group: "p1", source, motif: { scale: 1 }, render: { size: side } } as const;
    const tile = rasterOf(await bytesOf(await engine.render(request(parts))));
    const expected = [...pixels.subarray(0, channels)];
    let wrong = 0;
    for (let i = 0; i < tile.pixels.length; i++) {
      if (Math.abs(tile.pixels[i] - expected[i % channels]) > 1) wrong++;
    }
    t.equal(wrong, 0, `${channels} channels`);
  }
});
