/** Maps as they are sent to browsers. */
import t from "tap";
import { openBackend } from "../../../engine/backend.ts";
import { makeMap } from "../../../engine/mockups/make-map.ts";
import { HEADER_BYTES } from "../../../engine/mockups/map.ts";
import { packMap, unpackMap } from "../../../engine/mockups/packed-map.ts";
import { rasterise } from "../../../engine/mockups/rasterise.ts";
import { scenes } from "../../../scenes/index.ts";
import { checkerboard, mapOf } from "../../helpers/mockups.ts";

const never = async () => undefined;

/** A mug is round and glossy; fabric has folds that hide one another. */
const PRODUCTS = { mug: 36, "tote-bag": 95 };

const runner = await openBackend("webasm");
t.teardown(() => runner.close());

for (const [product, cell] of Object.entries(PRODUCTS)) {
  t.test(`a packed map is small and shows the same ${product}`, async (t) => {
    const map = new Uint8Array(Buffer.concat([...(await makeMap(scenes[product](), 400, never))]));
    const packed = await packMap(map);
    const unpacked = await unpackMap(packed);
    t.ok(packed.length < map.length / 7, `${packed.length} of ${map.length} bytes`);
    t.equal(unpacked.length, map.length);

    const print = checkerboard(cell);
    const exact = await rasterise(runner, mapOf([map]), print, never);
    const shown = await rasterise(runner, mapOf([unpacked]), print, never);
    const apart = shown.map((value, i) => Math.abs(value - exact[i]));
    const mean = apart.reduce((sum, value) => sum + value, 0) / apart.length;
    const visible = apart.filter((value) => value > 2).length / apart.length;
    t.ok(mean < 0.2, `${mean} of 255 in the mean`);
    t.ok(visible < 0.001, `${100 * visible} % of the numbers are more than 2 apart`);

    const pieces = [packed.subarray(0, HEADER_BYTES + 1000), packed.subarray(HEADER_BYTES + 1010)];
    await t.rejects(unpackMap(new Uint8Array(Buffer.concat(pieces))), "damaged data");
  });
}
