/** Sheets of the same size on paper look alike at any resolution. */
import t from "tap";
import { styles, surfaceEffects } from "../../engine/index.ts";
import { pixelsOf, type RequestParts, testEngine } from "../helpers/engine.ts";
import { meanDifference, reduced } from "../helpers/pictures.ts";
import { some } from "../helpers/random-subset.ts";

const engine = await testEngine(t);

/** Pixels of the sides of the smallest sheet, which has 75 pixels per inch. */
const SIDE = 256;
/** Largest mean difference, of 255. */
const MOST = 4;

/** Renders a sheet in so many times finer pixels. */
const sheetOf = (parts: RequestParts, times: number) =>
  pixelsOf(engine, {
    ...parts,
    render: {
      ...parts.render,
      mode: "surface",
      surface_width: times * SIDE,
      surface_height: times * SIDE,
      cell: times * 96,
      dpi: times * 75,
    },
  });

const cases: Readonly<Record<string, RequestParts>> = {
  ...Object.fromEntries(
    surfaceEffects.map(({ id }) => [id, { group: "p4", render: { surface_effects: [{ id }] } }]),
  ),
  ...Object.fromEntries(styles.map(({ id }) => [`style ${id}`, { group: "pmg", style: id }])),
};

for (const [name, parts] of some(Object.entries(cases), 8)) {
  t.test(`${name}: a proof looks like its print`, async (t) => {
    const proof = await sheetOf(parts, 1);
    for (const times of [4, 8]) {
      const difference = meanDifference(proof, reduced(await sheetOf(parts, times), times));
      t.comment(`${times * 75} dpi: ${difference.toFixed(2)}`);
      t.ok(difference <= MOST, `${difference} at ${times * 75} dpi`);
    }
  });
}
