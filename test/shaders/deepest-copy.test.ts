/** The kernel of cut seams, with tables as the engine writes them. */
import t from "tap";
import { IDENTITY, translation } from "../../engine/geometry/affine.ts";
import { domainOf } from "../../engine/geometry/domain.ts";
import { isometriesOf } from "../../engine/geometry/isometries.ts";
import { elementTable } from "../../engine/geometry/window.ts";
import { LIGHT_WORDS, writeLight } from "../../engine/image/light.ts";
import {
  cutWindow,
  TABLE_NODES,
  TABLES_LENGTH,
  writeTables,
} from "../../engine/render/seams/cut-window.ts";
import { deepestCopyKernel, deepestCopyOfLightKernel } from "../../shaders/deepest-copy.ts";
import { float32sOf } from "../../shaders/lib/layout.ts";
import { SOURCE } from "../../shaders/lib/source.ts";
import { backends } from "./backends.ts";
import { channels, pack } from "./pixels.ts";

const domain = domainOf(isometriesOf("p1", { ratio: 1, repeat: "straight" }));
const grid = { min: { x: -0.6, y: -0.6 }, step: 0.1, width: 13, height: 11 };
const atNodes = (value: (column: number, row: number) => number) =>
  Float32Array.from({ length: grid.width * grid.height }, (_, node) =>
    value(node % grid.width, Math.floor(node / grid.width)),
  );
const [far] = domain.joined;
const seam = {
  reach: 0.1,
  // Its image of every point lies beyond the grid.
  neighbours: [{ ...far, element: translation(40, -40) }],
  grid,
  depths: atNodes(() => -0.5),
  correction: [
    atNodes((column) => 0.02 * column),
    atNodes((_, row) => 0.03 * row),
    atNodes((column, row) => -0.01 * (column + row)),
  ],
};
const window = cutWindow(domain, seam, 1 / 512);
const table = elementTable(window, IDENTITY);
const tables = new Float32Array(TABLES_LENGTH);
writeTables(seam, tables);

/** Positions at nodes and between them. */
const places = [0, 0.25, 1, 3.5, 6, 9.75].flatMap((column) =>
  [0, 0.5, 2.75, 7, 9].map((row) => ({ column, row })),
);
const x = Float32Array.from(places, ({ column }) => grid.min.x + column * grid.step);
const y = Float32Array.from(places, ({ row }) => grid.min.y + row * grid.step);

const { reference, others } = await backends(t);

for (const runner of [reference, ...others]) {
  t.test(`${runner.backend}: the correction of the place is added to each channel`, async (t) => {
    const isLight = runner.backend === "webasm";
    const colour = new Float32Array(16).fill(pack(100, 110, 180));
    const room = { rows: 6, length: 4, depth: LIGHT_WORDS };
    const bound = runner.bind(isLight ? deepestCopyOfLightKernel : deepestCopyKernel, {
      colours: isLight ? room : { values: colour, length: 4 },
      alphas: { values: Float32Array.of(255), length: 1 },
      hasAlpha: 0,
      seam: { values: tables, length: TABLE_NODES },
      lastNode: TABLE_NODES - 1,
    });
    t.teardown(() => bound.release());
    if (isLight) {
      bound.write("colours", 16 * LIGHT_WORDS, ({ buffer, byteOffset, length }) =>
        writeLight({ colour, alpha: null }, 0, new Int32Array(buffer, byteOffset, length), 0, 16),
      );
    }
    const shown = (count: number, edges: number) => {
      const fields = { right: 3, bottom: 3, meanLightness: 0, edges };
      const source = float32sOf(fields, SOURCE);
      return bound.run(x.length, [x, y, table, count, 512, 0, source]);
    };
    for (const count of [1, 2]) {
      const packed = await shown(count, 0);
      for (const [at, { column, row }] of places.entries()) {
        const added = [0.02 * column, 0.03 * row, -0.01 * (column + row)];
        const expected = [100, 110, 180].map((byte, channel) => byte + 255 * added[channel]);
        const differences = channels(packed[at]).map((byte, channel) =>
          Math.abs(byte - expected[channel]),
        );
        t.ok(Math.max(...differences) < 0.6, `${count} copies, ${column}, ${row}`);
      }
    }
    const kept = await shown(1, 4);
    t.ok(
      kept.every((packed) => packed === pack(100, 110, 180)),
      "pixels that stay squares of one colour are not corrected",
    );
  });
}
