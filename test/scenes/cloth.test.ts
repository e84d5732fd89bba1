/** Cloth: simulation of folds, visibility and light. */
import t from "tap";
import { ambientOcclusionOf } from "../../scenes/cloth/ambient-occlusion.ts";
import { lightOn } from "../../scenes/cloth/cloth-light.ts";
import { type ClothMap, rasteriseSheet } from "../../scenes/cloth/cloth-map.ts";
import { LAYER } from "../../scenes/cloth/cloth-point.ts";
import { surfaceOf } from "../../scenes/cloth/cloth-surface.ts";
import { curveThrough, sideOf } from "../../scenes/cloth/curve.ts";
import { linesOf, outlineOf, slopeOf } from "../../scenes/cloth/outline.ts";
import { refine } from "../../scenes/cloth/refine.ts";
import { type NodePlacement, type Sheet, sheetOf } from "../../scenes/cloth/sheet.ts";
import { sectionOf, silhouetteOf } from "../../scenes/cloth/silhouette.ts";
import { softShadow } from "../../scenes/cloth/soft-shadow.ts";
import { relax } from "../../scenes/cloth/solver.ts";
import { fibres, plainWeave } from "../../scenes/cloth/texture.ts";

const SIZE = { width: 200, height: 160 };
const NODES = { columns: 21, rows: 17 };
const FABRIC = { stretch: 1, shear: 0.3, bend: 0.05 };
const VIEW = { scale: 2, left: 40, top: 30 };
const WINDOW = { left: 0, top: 0, width: 500, height: 400 };

const flat: NodePlacement = (u, v, at) => Object.assign(at, { x: u, y: v, z: 0 });

/** Cloth that hangs from its upper corners, which are nearer than it is wide. */
function hung(steps: number): Sheet {
  const sheet = sheetOf(SIZE, NODES, (u, v, at) => {
    at.x = 0.8 * u;
    at.y = v;
    at.z = 2 * Math.sin(u / 9 + v / 31);
  });
  const forces = { pull: [0, 0.02, 0], inertia: 0.95 } as const;
  relax(sheet, steps, FABRIC, forces, ({ columns, x, y, z }) => {
    x[0] = y[0] = y[columns - 1] = z[0] = z[columns - 1] = 0;
    x[columns - 1] = 160;
  });
  return sheet;
}

/** Lengths of all threads between neighbours in a row, relative to their rest lengths. */
function* lengths({ columns, rows, across, x, y, z }: Sheet): Generator<number> {
  for (let node = 0; node < columns * rows; node++) {
    if (node % columns === columns - 1) continue;
    const apart = [x, y, z].map((axis) => axis[node + 1] - axis[node]);
    yield Math.hypot(...apart) / across;
  }
}

t.test("cloth that hangs sags and folds, and hardly stretches", async (t) => {
  const sheet = hung(300);
  const middle = sheet.columns >> 1;
  t.ok(sheet.y[middle] > 15, `the upper edge sags by ${sheet.y[middle]} mm`);
  t.ok(Math.max(...sheet.z) - Math.min(...sheet.z) > 10, "it leaves the plane");
  t.ok(
    [...sheet.x, ...sheet.y, ...sheet.z].every((value) => Math.abs(value) < 400),
    "and stays near",
  );
  const all = [...lengths(sheet)];
  const mean = all.reduce((sum, length) => sum + length, 0) / all.length;
  t.ok(Math.abs(mean - 1) < 0.02, `threads have ${mean} of their length`);
  t.ok(all.filter((length) => Math.abs(length - 1) > 0.1).length < 0.03 * all.length);
});

t.test("folds are deterministic", async (t) => {
  t.same(hung(80), hung(80));
});

t.test("filling lifts cloth up to its height", async (t) => {
  const sheet = sheetOf(SIZE, NODES, flat);
  const forces = { pull: [0, 0, 0], filling: { push: 0.05, height: 20 }, inertia: 0.9 } as const;
  relax(sheet, 300, { ...FABRIC, stretch: 0.2, shear: 0 }, forces, ({ columns, rows, z }) => {
    z.fill(0, 0, columns);
    z.fill(0, columns * (rows - 1));
  });
  const top = Math.max(...sheet.z);
  t.ok(top > 12 && top < 24, `${top} mm`);
});

t.test("refining keeps flat cloth flat and its ends in place, and is smooth", async (t) => {
  const plane = refine(sheetOf(SIZE, NODES, flat), 3);
  t.equal(plane.columns, 61);
  for (let node = 0; node < plane.x.length; node++) {
    const off = Math.abs(plane.x[node] - (node % 61) * plane.across) + Math.abs(plane.z[node]);
    if (off > 1e-9) t.fail(`${off} mm off`);
  }
  const coarse = hung(200);
  const fine = refine(coarse, 6);
  for (const [a, b] of [
    [0, 0],
    [coarse.columns - 1, fine.columns - 1],
    [coarse.z.length - 1, fine.z.length - 1],
  ]) {
    t.ok(Math.abs(coarse.z[a] - fine.z[b]) < 1e-9, "a corner");
  }
  // Continuous curvature: third differences are of the third order of the spacing.
  const roughest = (sheet: Sheet) => {
    let most = 0;
    for (let node = 0; node + 3 < sheet.columns; node++) {
      const z = sheet.z.subarray(8 * sheet.columns);
      most = Math.max(most, Math.abs(z[node + 3] - 3 * z[node + 2] + 3 * z[node + 1] - z[node]));
    }
    return most;
  };
  t.ok(roughest(fine) < roughest(coarse) / 100, `${roughest(fine)} of ${roughest(coarse)}`);
});

const LIGHTING = { lamp: 0.6, wrap: 0.2, depth: 1.2, sheen: 0.05, gloss: 0.01, level: 0.9 };

const surface = (map: ClothMap) => surfaceOf(map, lightOn(map, LIGHTING));
const point = () => ({ u: -1, v: -1, shading: -1, highlight: -1 });

t.test("flat cloth is rendered in place, evenly lit", async (t) => {
  const cloth = surface(rasteriseSheet(sheetOf(SIZE, NODES, flat), VIEW, WINDOW));
  const at = point();
  for (const [x, y] of [
    [100.3, 90.7],
    [300, 250.2],
    [44.5, 33.1],
  ]) {
    t.equal(cloth(x, y, at) === LAYER.none, false);
    t.ok(Math.abs(at.u - (x - 40) / 2) < 0.05 && Math.abs(at.v - (y - 30) / 2) < 0.05);
    t.ok(Math.abs(at.shading - 0.9) < 0.02, `${at.shading}`);
  }
  t.equal(cloth(20, 100, at), LAYER.none);
  t.equal(cloth(100, 380, at), LAYER.none);
});

/** Cloth with an S-shaped fold down its middle, whose upper layer covers u from 70 to 100. */
const folded: NodePlacement = (u, v, at) => {
  const back = Math.min(Math.max(u - 100, 0), 30);
  const bend = (from: number) => 1 / (1 + Math.exp((from - u) / 1.5));
  at.x = u - 2 * back;
  at.y = v;
  at.z = 12 * (1 - bend(100)) + 6 * (bend(100) - bend(130));
};

t.test("nearer cloth hides what lies behind it, with an edge between two layers", async (t) => {
  const sheet = refine(sheetOf(SIZE, { columns: 101, rows: 9 }, folded), 2);
  const cloth = surface(rasteriseSheet(sheet, VIEW, WINDOW));
  const before = point();
  const after = point();
  const y = 150;
  let jump = 0;
  let smooth = 0;
  let edges = 0;
  for (let x = 60; x < 300; x += 0.5) {
    const layer = cloth(x, y, before);
    const next = cloth(x + 0.5, y, after);
    const moved = Math.abs(after.u - before.u);
    if (layer === next) smooth = Math.max(smooth, moved);
    else jump = Math.max(jump, moved);
    if (layer === LAYER.front && next === LAYER.behind) edges++;
  }
  cloth(40 + 2 * 85, y, before);
  t.ok(Math.abs(before.u - 85) < 1, `the upper layer is seen, at ${before.u} mm`);
  t.equal(edges, 1, "one edge from the fold to what is behind");
  t.ok(jump > 40, `${jump} mm of cloth are hidden`);
  t.ok(smooth < 3, `within a layer, ${smooth} mm in half a pixel`);
});

t.test("valleys are more occluded than ridges, and flat cloth not at all", async (t) => {
  const lamp = [-0.6, 0, 0.8] as const;
  const plane = ambientOcclusionOf(rasteriseSheet(sheetOf(SIZE, NODES, flat), VIEW, WINDOW), lamp);
  t.ok(Math.min(...plane.open) === 1 || Math.min(...plane.open) > 0.999);
  const waves = sheetOf(SIZE, { columns: 101, rows: 5 }, (u, v, at) => {
    at.x = u;
    at.y = v;
    at.z = 12 * Math.cos((2 * Math.PI * u) / 50);
  });
  const map = rasteriseSheet(waves, VIEW, WINDOW);
  const sky = ambientOcclusionOf(map, lamp);
  const texel = (u: number) => 80 * map.columns + (2 * u + 40) / 2;
  t.ok(sky.open[texel(75)] < 0.8 && sky.open[texel(100)] > 0.88);
  t.ok(sky.lit[texel(100)] > sky.lit[texel(80)], "and less light of the low lamp");
  for (const share of [...sky.open, ...sky.lit]) {
    if (!(share >= 0 && share <= 1)) t.fail(`${share} of the light`);
  }
});

t.test("folds that face away from the lamp are darker", async (t) => {
  const slope = (rise: number) => {
    const sheet = sheetOf(SIZE, NODES, (u, v, at) =>
      Object.assign(at, { x: u, y: v, z: rise * (u + v) }),
    );
    const at = point();
    surface(rasteriseSheet(sheet, VIEW, WINDOW))(240, 190, at);
    return at.shading;
  };
  t.ok(slope(0.4) > slope(0) && slope(0) > slope(-0.4) + 0.1);
});

t.test("an outline gives distance, side and direction outwards", async (t) => {
  const circle = curveThrough(
    Array.from({ length: 12 }, (_, k) => ({
      x: 800 + 300 * Math.cos((k * Math.PI) / 6),
      y: 800 + 300 * Math.sin((k * Math.PI) / 6),
    })),
    true,
  );
  const outline = outlineOf(circle, 40);
  const way = { x: 0, y: 0 };
  for (let angle = 0.1; angle < 6; angle += 0.37) {
    for (const far of [-25, -3, 0.5, 12, 30]) {
      const x = 800 + (300 + far) * Math.cos(angle);
      const y = 800 + (300 + far) * Math.sin(angle);
      t.ok(Math.abs(outline.distance(x, y) - far) < 1.2, `${far}: ${outline.distance(x, y)}`);
      slopeOf(outline, x, y, way);
      t.ok(way.x * Math.cos(angle) + way.y * Math.sin(angle) > (Math.abs(far) < 4 ? 0.4 : 0.95));
    }
  }
  t.equal(outline.distance(800, 800), -40);
  t.equal(outline.distance(100, 100), 40);
  const line = linesOf(
    [
      [
        { x: 100, y: 200 },
        { x: 700, y: 200 },
      ],
    ],
    30,
  );
  t.ok(Math.abs(line.along(431, 210) - 331) < 1.1);
  t.ok(Math.abs(line.distance(431, 190) - 10) < 0.1);
});

t.test("the sides of a sheet go around it once, clockwise", async (t) => {
  const sheet = sheetOf(SIZE, NODES, flat);
  const view = { scale: 1, left: 0, top: 0 };
  const ends = (["top", "right", "bottom", "left"] as const).map((side) => {
    const points = sideOf(sheet, side, view);
    return [points[0], points[points.length - 1]].map(({ x, y }) => [Math.round(x), Math.round(y)]);
  });
  const [a, b, c, d] = [
    [0, 0],
    [200, 0],
    [200, 160],
    [0, 160],
  ];
  t.same(ends, [
    [a, b],
    [b, c],
    [c, d],
    [d, a],
  ]);
});

t.test("cloth laid on a section keeps its length, and a body keeps cloth out", async (t) => {
  const height = (x: number) => 50 * Math.sqrt(Math.max(0, 1 - (x / 100) ** 2));
  const section = sectionOf(height, 95);
  t.equal(section(0), 0);
  t.ok(Math.abs(section(1) - 95) < 1e-9);
  const lengthOf = (a: number, b: number) => Math.hypot(b - a, height(b) - height(a));
  const pieces = Array.from({ length: 10 }, (_, k) =>
    lengthOf(section(k / 10), section((k + 1) / 10)),
  );
  t.ok(Math.max(...pieces) / Math.min(...pieces) < 1.03, pieces.join(" "));
  const sheet = sheetOf(SIZE, NODES, (u, v, at) => Object.assign(at, { x: u - 100, y: v, z: 5 }));
  silhouetteOf((x) => height(x), { left: -120, top: -10, right: 120, bottom: 180 })(sheet);
  t.ok(sheet.z.every((z, node) => z >= height(sheet.x[node]) - 1.5 && z >= 5));
});

t.test("a soft shadow keeps its total while it spreads", async (t) => {
  const inside = (x: number, y: number) =>
    Math.abs(x - 800) < 200 && Math.abs(y - 700) < 200 ? 1 : 0;
  const shadow = softShadow(inside, 80);
  let sum = 0;
  for (let y = 4; y < 1600; y += 8) {
    for (let x = 4; x < 1600; x += 8) {
      const share = shadow(x, y);
      if (share < -1e-6 || share > 1 + 1e-6) t.fail(`${share}`);
      sum += share * 64;
    }
  }
  t.ok(Math.abs(sum / 400 ** 2 - 1) < 0.03, `${sum / 400 ** 2} of it`);
  t.ok(
    Math.abs(shadow(600, 700) - 0.5) < 0.1 && shadow(800, 700) > 0.95 && shadow(300, 300) < 0.01,
  );
});

t.test("textures vary around 0, without steps", async (t) => {
  for (const texture of [fibres(0.8), plainWeave(1.2)]) {
    let sum = 0;
    let square = 0;
    let step = 0;
    for (let k = 0; k < 40_000; k++) {
      const [u, v] = [(k % 200) * 0.371, Math.floor(k / 200) * 0.413 - 20];
      const value = texture(u, v);
      sum += value;
      square += value * value;
      step = Math.max(step, Math.abs(texture(u + 0.01, v) - value));
    }
    t.ok(Math.abs(sum / 40_000) < 0.12, `mean ${sum / 40_000}`);
    t.ok(square / 40_000 > 0.02 && square / 40_000 < 1);
    t.ok(step < 0.3, `a step of ${step}`);
  }
});
