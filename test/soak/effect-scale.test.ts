/** Sheets of the same size on paper look alike at any resolution. */

import sharp from "sharp";
import t from "tap";
import { plainDesign, styles, surfaceEffects } from "../../engine/index.ts";
import { supersamplingOf } from "../../engine/render/supersampling.ts";
import { bytesOf, pixelsOf, type RequestParts, request, testEngine } from "../helpers/engine.ts";
import { meanDifference, pngOf, reduced } from "../helpers/pictures.ts";
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

/** In each run: those that differ most without finer pixels. */
const ALWAYS = {
  newspaper: { group: "pmg", style: "newspaper" },
  "dots of a pattern, without effects of the sheet": {
    group: "p4",
    effects: [{ id: "halftone", params: { dots: 56 } }],
  },
} as const;

for (const [name, parts] of [...Object.entries(ALWAYS), ...some(Object.entries(cases), 6)]) {
  t.test(`${name}: a proof looks like its print`, async (t) => {
    const proof = await sheetOf(parts, 1);
    for (const times of [4, 8]) {
      const difference = meanDifference(proof, reduced(await sheetOf(parts, times), times));
      t.comment(`${times * 75} dpi: ${difference.toFixed(2)}`);
      t.ok(difference <= MOST, `${difference} at ${times * 75} dpi`);
    }
  });
}

t.test("a PNG and a WebP of a repeating sheet show the same", async (t) => {
  const parts = { group: "p4", effects: [{ id: "halftone", params: { dots: 40 } }] } as const;
  const render = { mode: "surface", surface_width: 128, surface_height: 128, cell: 64 } as const;
  const png = await pixelsOf(engine, { ...parts, render });
  const webp = await bytesOf(
    await engine.render(request({ ...parts, render: { ...render, format: "webp", quality: 100 } })),
  );
  const { data } = await sharp(webp).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  t.ok(meanDifference(png, { ...png, pixels: data }) < 4);
});

t.test("transparency is averaged with the colours that show", async (t) => {
  // Columns of clear red and opaque blue pixels.
  const pixels = Uint8Array.from({ length: 4 * 64 * 64 }, (_, at) =>
    at % 8 < 4 ? [255, 0, 0, 0][at % 4] : [0, 0, 255, 255][at % 4],
  );
  const source = pngOf({ width: 64, height: 64, channels: 4, pixels });
  const parts: RequestParts = {
    group: "p1",
    source,
    render: { surface_effects: [{ id: "grain" }] },
  };
  const proof = await sheetOf(parts, 1);
  t.equal(proof.channels, 4);
  for (let at = 0; at < proof.pixels.length; at += 4) {
    if (proof.pixels[at + 3] > 0 && proof.pixels[at] > 60) t.fail(`red shows at ${at / 4}`);
  }
});

t.test("a sheet of finer pixels keeps within the limits of sheets", (t) => {
  const sheet = { mode: "surface", surface_width: 20000, surface_height: 16, cell: 8 } as const;
  const far = [{ id: "misregistration", params: { shift: 2, turn: 2 } }, { id: "grain" }];
  const { design, render } = request({
    effects: [{ id: "halftone", params: { dots: 128 } }],
    render: { ...sheet, dpi: 1500, surface_effects: far },
  });
  t.equal(supersamplingOf(design, render), 1);
  const narrow = { ...render, surface_width: 400 };
  t.equal(supersamplingOf(design, narrow), 2, "512 rows in all");
  const plain = { ...render, surface_effects: [{ id: "grain", params: { strength: 0 } }] };
  t.equal(
    supersamplingOf(plainDesign("p4"), { ...plain, dpi: 30 }),
    1,
    "an effect without strength",
  );
  t.end();
});
