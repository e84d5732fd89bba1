/** Edges between a picture and its negative. */
import t from "tap";
import { COUNTERCHANGES, type Counterchange, type GroupName } from "../../engine/index.ts";
import { type RequestParts, request, swatchOf, testEngine } from "../helpers/engine.ts";
import { pngOf } from "../helpers/pictures.ts";
import { some } from "../helpers/random-subset.ts";

const engine = await testEngine(t);

const DARK = 30;
const plain = pngOf({
  width: 60,
  height: 60,
  channels: 3,
  pixels: new Uint8Array(60 * 60 * 3).fill(DARK),
});

const ALL = Object.entries(COUNTERCHANGES).flatMap(([group, names]) =>
  names.map((kept): readonly [GroupName, Counterchange] => [group as GroupName, kept]),
);

const BLACK_AND_WHITE = { softness: 0, dark: "#000000", light: "#ffffff" };

const [WIDTH, HEIGHT] = [96, 72];

/** Returns how much of each pixel of a turned sheet is dark, of `finer`² pixels each. */
async function shares(parts: RequestParts, finer: number): Promise<Float64Array> {
  const render = {
    mode: "surface",
    surface_width: finer * WIDTH,
    surface_height: finer * HEIGHT,
    cell: finer * 40,
    rotation: 17,
  } as const;
  const { pixels, channels } = await swatchOf(engine, { ...parts, source: plain, render });
  const dark = new Float64Array(WIDTH * HEIGHT);
  for (let at = 0; at < pixels.length / channels; at++) {
    const [x, y] = [at % (finer * WIDTH), Math.floor(at / (finer * WIDTH))];
    const share = (255 - DARK - pixels[channels * at]) / (255 - 2 * DARK);
    dark[Math.floor(y / finer) * WIDTH + Math.floor(x / finer)] += share / finer ** 2;
  }
  return dark;
}

for (const [group, counterchange] of some(ALL, 6)) {
  t.test(`${group}/${counterchange}: pixels on an edge show as much as they cover`, async (t) => {
    const [rendered, covered] = await Promise.all(
      [1, 8].map((finer) => shares({ group, counterchange }, finer)),
    );
    const errors = rendered.map((share, at) => Math.abs(share - covered[at]));
    const onEdge = covered.filter((share) => share > 0.05 && share < 0.95).length;
    t.ok(onEdge > 50, `${onEdge} pixels lie on edges`);
    const mean = errors.reduce((sum, error) => sum + error, 0) / onEdge;
    // Without colours in between it is a quarter.
    t.ok(mean < 0.04, `${mean} on average`);
    t.ok(Math.max(...errors) < 0.25, `${Math.max(...errors)} at most`);
  });
}

t.test("flat inks have no colours in between, nor has what is listed and traced", async (t) => {
  const parts = { group: "p4", counterchange: "p4" } as const;
  const flat = { ...parts, effects: [{ id: "flat_inks", params: { count: 3 } }] };
  for (const mode of ["tile", "surface"] as const) {
    const sides = { surface_width: 150, surface_height: 150 };
    const render = { mode, size: 150, rotation: 9, ...sides, cell: 70 };
    const { pixels, channels } = await swatchOf(engine, { ...flat, render });
    const colours = new Set<string>();
    for (let at = 0; at < pixels.length; at += channels) {
      colours.add(pixels.subarray(at, at + 3).join());
    }
    t.equal(colours.size, 6, mode);
  }
  const tone = { ...parts, effects: [{ id: "threshold", params: BLACK_AND_WHITE }] };
  const { design, source } = request(tone);
  const fields = { size: 200, tile: "cell", hex_cells: "7x4" } as const;
  const inks = await engine.inks({ design, source, fields });
  t.equal(inks?.length, 2, "a picture of two tones has two inks");
});

t.test("flat inks that are not seen leave edges smooth", async (t) => {
  const parts = { group: "p4", counterchange: "p4", render: { size: 150 } } as const;
  const unseen = { id: "flat_inks", params: { strength: 0 } };
  for (const effects of [[], [{ id: "blur" }]]) {
    const plain = await swatchOf(engine, { ...parts, effects });
    const flat = await swatchOf(engine, { ...parts, effects: [unseen, ...effects] });
    t.equal(Buffer.compare(flat.pixels, plain.pixels), 0, `${effects.length} more`);
  }
});
