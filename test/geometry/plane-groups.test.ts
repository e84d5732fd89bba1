import { readFileSync } from "node:fs";
import t from "tap";
import { compose } from "../../engine/geometry/affine.ts";
import { parsePosition } from "../../engine/geometry/isometries.ts";
import { groupOf, PLANE_GROUPS } from "../../engine/geometry/plane-groups.ts";
import { GROUP_NAMES } from "../../engine/recipe/index.ts";

interface TableRow {
  number: number;
  name: string;
  hermann_mauguin: string;
  orbifold: string;
  lattice: string;
  centred: boolean;
  order: number;
  positions: string[];
  generators: string[];
}

const table = JSON.parse(readFileSync(new URL("./plane-groups.json", import.meta.url), "utf8"))
  .groups as TableRow[];

/** An operation modulo the cell's translations, in twelfths, as text. */
function classOf(position: ReturnType<typeof parsePosition>): string {
  const part = (value: number) => ((Math.round(value * 12) % 12) + 12) % 12;
  const { a, b, c, d, e, f } = position;
  return [a, b, c, d, part(e), part(f)].join();
}

t.test("the groups are those of the International Tables' machine-checked table", async (t) => {
  const ours = PLANE_GROUPS.map((group) => ({
    number: group.number,
    name: group.name,
    hermann_mauguin: group.hermannMauguin,
    orbifold: group.orbifold,
    lattice: group.lattice,
    centred: group.centred,
    positions: group.positions,
    generators: group.generators,
  }));
  t.strictSame(
    ours,
    table.map(
      ({ number, name, hermann_mauguin, orbifold, lattice, centred, positions, generators }) => ({
        number,
        name,
        hermann_mauguin,
        orbifold,
        lattice,
        centred,
        positions,
        generators,
      }),
    ),
  );
  t.strictSame(
    PLANE_GROUPS.map((group) => group.name),
    GROUP_NAMES,
  );
});

t.test("positions are closed under composition and made by the generators", async (t) => {
  for (const row of table) {
    const positions = row.positions.map(parsePosition);
    const known = new Set(positions.map(classOf));
    t.equal(known.size, row.order, `${row.name}: no position twice`);
    const centring = row.centred ? ["x+1/2,y+1/2"] : [];
    const generators = [...row.generators, ...centring].map(parsePosition);
    const reached = new Set([classOf(parsePosition("x,y"))]);
    const pending = [parsePosition("x,y")];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const generator of generators) {
        const product = compose(generator, next);
        if (!reached.has(classOf(product))) {
          reached.add(classOf(product));
          pending.push(product);
        }
      }
    }
    t.equal(reached.size, row.order * (row.centred ? 2 : 1), `${row.name}: generated`);
    for (const one of known) t.ok(reached.has(one), `${row.name}: ${one} is generated`);
  }
});

t.test("groups are found by short name, Hermann–Mauguin symbol and orbifold symbol", async (t) => {
  t.equal(groupOf("p4m"), "p4m");
  t.equal(groupOf("p4mm"), "p4m");
  t.equal(groupOf("*442"), "p4m");
  t.equal(groupOf("2*22"), "cmm");
  t.equal(groupOf("p5"), null);
  t.equal(groupOf(""), null);
});
