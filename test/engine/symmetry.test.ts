import t from "tap";
import { GROUP_NAMES, type GroupName } from "../../engine/index.ts";
import { pixelsOf, testEngine } from "../helpers/engine.ts";
import type { Raster } from "../helpers/pictures.ts";
import {
  allPositions,
  differenceUnder,
  positionFunction,
  sampleCubic,
  tableRow,
} from "../helpers/symmetry.ts";

const engine = await testEngine(t);
const upright = GROUP_NAMES.filter((name) => tableRow(name).lattice !== "hexagonal");
const hexagonal = GROUP_NAMES.filter((name) => tableRow(name).lattice === "hexagonal");

for (const method of ["blend", "cut", "fold", "average"] as const) {
  t.test(`${method}: upright groups are exact bit for bit under every operation`, async (t) => {
    for (const group of upright) {
      const tile = await pixelsOf(engine, { group, seam: { method }, render: { size: 120 } });
      for (const position of allPositions(tableRow(group))) {
        t.equal(differenceUnder(position, tile), 0, `${group} under ${position}`);
      }
    }
  });
}

t.test("sizes that are not multiples of 4 are exact if halves fall on pixels", async (t) => {
  for (const group of upright) {
    const tile = await pixelsOf(engine, { group, render: { size: 118 } });
    for (const position of allPositions(tableRow(group))) {
      t.equal(differenceUnder(position, tile), 0, `${group} under ${position}`);
    }
  }
});

t.test("a cut along lines adds no symmetry that the group lacks", async (t) => {
  for (const group of ["p1", "pg", "p2", "pgg", "p4"] as const) {
    const own = new Set(allPositions(tableRow(group)));
    const tile = await pixelsOf(engine, { group, seam: { method: "cut" }, render: { size: 120 } });
    for (const larger of tableRow(group).t_supergroups) {
      if (tableRow(larger).lattice === "hexagonal") continue;
      const added = allPositions(tableRow(larger)).filter((position) => !own.has(position));
      const worst = Math.max(...added.map((position) => differenceUnder(position, tile)));
      t.ok(worst > 40, `${group} is not ${larger}: ${worst} levels`);
    }
  }
});

t.test("no group has the operations of a larger one", async (t) => {
  for (const group of upright) {
    const own = new Set(allPositions(tableRow(group)));
    const tile = await pixelsOf(engine, { group, render: { size: 120 } });
    for (const larger of tableRow(group).t_supergroups) {
      if (tableRow(larger).lattice === "hexagonal") continue;
      const added = allPositions(tableRow(larger)).filter((position) => !own.has(position));
      const worst = Math.max(...added.map((position) => differenceUnder(position, tile)));
      t.ok(worst > 40, `${group} is not ${larger}: ${worst} levels`);
    }
  }
});

/** The operations that a square tile keeps of a hexagonal group, on its rectangular axes. */
const KEPT: Partial<Record<GroupName, string[]>> = {
  p3: [],
  p3m1: ["-x,y"],
  p31m: ["x,-y"],
  p6: ["-x,-y"],
  p6m: ["-x,-y", "-x,y", "x,-y"],
};

t.test("hexagonal groups keep their rectangular subgroup bit for bit", async (t) => {
  for (const group of hexagonal) {
    for (const hex_cells of ["2x1", "7x4"] as const) {
      const tile = await pixelsOf(engine, { group, render: { size: 256, hex_cells } });
      for (const position of KEPT[group] ?? []) {
        t.equal(differenceUnder(position, tile), 0, `${group} ${hex_cells} under ${position}`);
      }
    }
    // With 2x1 cells the centring (a quarter of the width, half the height) is on the grid.
    const tile = await pixelsOf(engine, { group, render: { size: 256, hex_cells: "2x1" } });
    t.equal(differenceUnder("x+1/4,y+1/2", tile), 0, `${group}: centring`);
  }
});

t.test("hexagonal groups have all their operations within 2 levels, interpolated", async (t) => {
  for (const group of hexagonal) {
    // Enlarged, to compare the symmetry and not the interpolation.
    const motif = { scale: 6, x: 0.55, y: 0.45 };
    const render = { size: 768, hex_cells: "2x1" } as const;
    const tile = await pixelsOf(engine, { group, motif, render });
    for (const position of tableRow(group).positions) {
      t.ok(worstInterpolated(tile, position, 2) <= 2, `${group} under ${position}`);
    }
    for (const larger of tableRow(group).t_supergroups) {
      const worst = Math.max(
        ...tableRow(larger).positions.map((position) => worstInterpolated(tile, position, 2)),
      );
      t.ok(worst > 10, `${group} is not ${larger}: ${worst} levels`);
    }
  }
});

for (const method of ["blend", "cut"] as const) {
  t.test(`${method}: cells of any ratio are exact under every operation`, async (t) => {
    for (const group of upright) {
      const isSquare = tableRow(group).lattice === "square";
      for (const ratio of isSquare ? [1] : [0.7, 1.9]) {
        const render = { size: 126, tile: "cell" } as const;
        const tile = await pixelsOf(engine, {
          group,
          lattice: { ratio },
          seam: { method },
          render,
        });
        for (const position of allPositions(tableRow(group))) {
          t.equal(
            differenceUnder(position, tile),
            0,
            `${group}, ratio ${ratio}, under ${position}`,
          );
        }
      }
    }
  });
}

t.test("cells of half drops repeat after half a period", async (t) => {
  for (const group of ["p1", "p2"] as const) {
    for (const repeat of ["half_drop", "brick"] as const) {
      const lattice = { ratio: 0.7, repeat };
      const tile = await pixelsOf(engine, { group, lattice, render: { size: 126, tile: "cell" } });
      const shape = repeat === "brick" ? [90, 126] : [126, 44];
      t.same([tile.width, tile.height], shape);
      t.equal(differenceUnder("x+1/2,y+1/2", tile), 0, `${group}, ${repeat}`);
    }
  }
});

t.test("cells of hexagonal groups have all their operations, interpolated", async (t) => {
  for (const group of hexagonal) {
    const motif = { scale: 6, x: 0.55, y: 0.45 };
    const tile = await pixelsOf(engine, { group, motif, render: { size: 768, tile: "cell" } });
    t.same([tile.width, tile.height], [444, 768]);
    t.equal(differenceUnder("x+1/2,y+1/2", tile), 0, `${group}: centring`);
    for (const position of tableRow(group).positions) {
      t.ok(worstInterpolated(tile, position, 1) <= 2, `${group} under ${position}`);
    }
    for (const larger of tableRow(group).t_supergroups) {
      const worst = Math.max(
        ...tableRow(larger).positions.map((position) => worstInterpolated(tile, position, 1)),
      );
      t.ok(worst > 10, `${group} is not ${larger}: ${worst} levels`);
    }
  }
});

/**
 * The largest difference under a hexagonal operation of a tile that is one rectangular period high and
 * so many wide.
 */
function worstInterpolated(tile: Raster, position: string, across: 1 | 2): number {
  const image = positionFunction(position);
  const { width, height } = tile;
  let worst = 0;
  for (let j = 3; j < height; j += 11) {
    for (let i = 5; i < width; i += 13) {
      // Pixels → edges a across, half heights of a period down → fractions of a and b at 120° → and back.
      const x = ((i + 0.5) / width) * across;
      const v = ((j + 0.5) / height) * 2;
      const [p, q] = image(x + v / 2, v);
      const column = ((p - q / 2) / across) * width;
      const row = (q / 2) * height;
      for (let c = 0; c < 3; c++) {
        const here = tile.pixels[(j * width + i) * 3 + c];
        worst = Math.max(worst, Math.abs(here - sampleCubic(tile, column, row, c)));
      }
    }
  }
  return worst;
}
