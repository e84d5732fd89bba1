/** Patterns in a picture's colours and its negative: the 46 two-colour groups, checked on their pixels. */
import t from "tap";
import { examine } from "../../engine/certificate/certify.ts";
import type { ByteImage } from "../../engine/image/picture.ts";
import { COUNTERCHANGES, type Counterchange, type GroupName } from "../../engine/index.ts";
import { pixelsOf, type RequestParts, request, testEngine } from "../helpers/engine.ts";
import type { Raster } from "../helpers/pictures.ts";
import { some } from "../helpers/random-subset.ts";

const engine = await testEngine(t);

const SIDE = 192;

const ALL = Object.entries(COUNTERCHANGES).flatMap(([group, names]) =>
  names.map((kept): readonly [GroupName, Counterchange] => [group as GroupName, kept]),
);

const rendered = (
  group: GroupName,
  counterchange: Counterchange | null,
  parts: RequestParts = {},
) =>
  pixelsOf(engine, {
    ...parts,
    group,
    counterchange,
    render: { tile: "cell", size: SIDE, ...parts.render },
  });

/** Returns the share of channels that two pictures of one size have in common, in negative, or in between. */
function shares(one: Raster, other: Raster) {
  let [same, negative, between] = [0, 0, 0];
  for (const [at, value] of one.pixels.entries()) {
    const plain = other.pixels[at];
    if (value === plain) same++;
    if (value + plain === 255) negative++;
    if (Math.abs(2 * value - 255) < Math.abs(2 * plain - 255)) between++;
  }
  const { length } = one.pixels;
  return { same: same / length, negative: negative / length, between: between / length };
}

t.test("there are 46 two-colour groups", async (t) => {
  t.equal(ALL.length, 46);
});

for (const [group, kept] of some(ALL, 6)) {
  t.test(`${group} of which ${kept} keeps the colours`, async (t) => {
    const picture = await rendered(group, kept);
    const { found } = await examine(picture as ByteImage);
    t.equal(found?.fit.group.name, kept.replace(/_.*/, ""), "which is the picture's own");
    // How far it is from grey is the same in the negative.
    const folded = picture.pixels.map((value) => Math.abs(2 * value - 255));
    const both = await examine({ ...picture, pixels: folded } as ByteImage);
    t.equal(both.found?.fit.group.name, group, "and with the negative it is the whole group");

    const sheet = { mode: "surface", surface_width: 230, surface_height: 170, cell: 96 } as const;
    const [coloured, plain] = await Promise.all(
      [kept, null].map((one) => rendered(group, one, { render: { ...sheet, rotation: 17 } })),
    );
    const { same, negative, between } = shares(coloured, plain);
    t.ok(between < 0.1, `on edges pixels are between the pattern and its negative: ${between}`);
    t.ok(
      same + negative + between > 0.99,
      `each other one is the plain pattern's or its negative: ${same}, ${negative}`,
    );
    t.ok(same > 0.25 && negative > 0.25, "and both are there");

    const { design, source } = request({ group, counterchange: kept });
    const fields = { size: 448, tile: "cell", hex_cells: "7x4" } as const;
    const certificate = await engine.certify({ kind: "design", design, source, fields });
    t.match(certificate, { verdict: "valid", claimed: kept.replace(/_.*/, "") });
    t.same(certificate.counterchange, { group, max_error: 0 });
  });
}

t.test("effects are those of the plain pattern, in both colours", async (t) => {
  const cases = [
    ["p4m", "p4g", {}],
    ["cmm", "pmm", { ratio: 0.6 }],
    ["p1", "p1", { ratio: 0.73, repeat: "half_drop" }],
    ["p2", "p2", { ratio: 1.3, repeat: "brick" }],
  ] as const;
  for (const [group, counterchange, lattice] of some(cases, 2)) {
    const effects = [{ id: "halftone" }, { id: "pixelate" }];
    const name = `${group}/${counterchange}`;
    const { design, source } = request({ group, counterchange, lattice, effects });
    const fields = { size: 256, tile: "square", hex_cells: "7x4" } as const;
    const certificate = await engine.certify({ kind: "design", design, source, fields });
    t.same(certificate.counterchange, { group, max_error: 0 }, name);
    // A sheet that repeats whole periods of both.
    const sheet = { mode: "surface", surface_width: 384, surface_height: 384, cell: 96 } as const;
    const parts = { lattice: { ...lattice, ratio: 1 }, effects, render: sheet };
    const [coloured, plain] = await Promise.all(
      [counterchange, null].map((one) => rendered(group, one, parts)),
    );
    const { same, negative, between } = shares(coloured, plain);
    t.ok(between < 0.1, `${name}: on edges pixels are between the two: ${between}`);
    // Pixels between two blocks belong to either.
    t.ok(same + negative + between > 0.94, `${name}: ${same} the same, ${negative} the negative`);
  }
});

t.test("columns and rows that are shifted alternate, and the repeat stays", async (t) => {
  for (const repeat of ["half_drop", "brick"] as const) {
    const lattice = { ratio: 0.7, repeat };
    const [coloured, plain] = await Promise.all(
      (["p1", null] as const).map((one) => rendered("p1", one, { lattice })),
    );
    t.same([coloured.width, coloured.height], [plain.width, plain.height]);
  }
});

t.test("sheets that never repeat, friezes and rosettes ignore it", async (t) => {
  for (const render of [
    { mode: "aperiodic", size: 120, aperiodic: { kind: "hat" } },
    { mode: "frieze", size: 120, frieze: { group: "p2mg", repeats: 2 } },
    { mode: "rosette", size: 120, rosette: { fold: 5, mirrors: false, shape: "disc" } },
  ] as const) {
    const [coloured, plain] = await Promise.all(
      (["p4", null] as const).map((one) =>
        pixelsOf(engine, { group: "p4", counterchange: one, render }),
      ),
    );
    t.same(coloured, plain, render.mode);
  }
});
