import t from "tap";
import { apply } from "../../engine/geometry/affine.ts";
import { domainOf } from "../../engine/geometry/domain.ts";
import { isometriesOf } from "../../engine/geometry/isometries.ts";
import { labOf, saliencyOf } from "../../engine/image/saliency.ts";
import { GROUP_NAMES, plainDesign } from "../../engine/recipe/index.ts";
import { ideasFor } from "../../engine/render/ideas.ts";
import { placeMotif } from "../../engine/render/placement.ts";
import { hash } from "../helpers/pictures.ts";
import { seed, some } from "../helpers/random-subset.ts";

/** A red disc on noisy grey; its middle and radius are shares of the width. */
function disc(width: number, height: number, x: number, y: number, radius: number) {
  const isIn = (n: number) =>
    Math.hypot((n % width) / width - x, (Math.floor(n / width) - y * height) / width) < radius;
  const grey = (n: number) => Math.floor(150 + 12 * hash(seed, n)) * 0x010101;
  const colour = Float32Array.from({ length: width * height }, (_, n) =>
    isIn(n) ? 0xd03020 : grey(n),
  );
  return { picture: { width, height, colour, alpha: null }, isIn };
}

const ALL = { count: 12, groups: GROUP_NAMES };

/** Corners of a motif's domain in pixels of the picture. */
function cornersOf(
  { group, motif }: ReturnType<typeof ideasFor>[number],
  size: { width: number; height: number },
) {
  const { corners } = domainOf(isometriesOf(group, plainDesign(group).lattice));
  const map = placeMotif(corners, motif, size);
  return corners.map((corner) => apply(map, corner));
}

t.test("what differs from its surroundings catches the eye", async (t) => {
  const { picture, isIn } = disc(80, 48, 0.3, 0.6, 0.12);
  const saliency = saliencyOf(picture, labOf(picture));
  const inside = saliency.filter((_, n) => isIn(n));
  const mean = (values: Float64Array) => values.reduce((sum, v) => sum + v, 0) / values.length;
  t.ok(Math.abs(saliency.reduce((sum, value) => sum + value, 0) - 1) < 1e-9);
  t.ok(mean(inside) > 4 * mean(saliency.filter((_, n) => !isIn(n))));
});

t.test("nothing catches the eye in a plain picture, which has ideas nonetheless", async (t) => {
  const picture = {
    width: 20,
    height: 30,
    colour: new Float32Array(600).fill(0x336699),
    alpha: null,
  };
  const saliency = saliencyOf(picture, labOf(picture));
  t.ok(saliency.every((value) => value > 0 && Number.isFinite(value)));
  t.equal(ideasFor(picture, picture, ALL).length, 12);
  const clear = { ...picture, alpha: new Float32Array(600) };
  t.equal(ideasFor(clear, clear, ALL).length, 12);
});

t.test("motifs lie in the picture, wherever its subject is", async (t) => {
  const size = { width: 3000, height: 2000 };
  const { picture } = disc(75, 50, 0.7, 0.35, 0.1);
  for (const idea of ideasFor(picture, size, ALL)) {
    for (const { x, y } of cornersOf(idea, size)) {
      t.ok(x > -1 && x < size.width + 1 && y > -1 && y < size.height + 1, idea.group);
    }
  }
});

t.test("a motif shows the subject of a panorama, not the panorama's middle", async (t) => {
  for (const group of some(GROUP_NAMES, 6)) {
    for (const at of [0.12, 0.88]) {
      const { picture } = disc(180, 24, at, 0.5, 0.04);
      const [idea] = ideasFor(picture, picture, { count: 1, groups: [group] });
      t.equal(idea.group, group);
      t.ok(Math.abs(idea.motif.x - at) < 0.15, `${group}: at ${idea.motif.x} for ${at}`);
    }
  }
});

t.test("twelve ideas differ, and are the same each time", async (t) => {
  const { picture } = disc(64, 64, 0.4, 0.4, 0.15);
  const ideas = ideasFor(picture, picture, ALL);
  t.same(ideasFor(picture, picture, ALL), ideas);
  t.equal(new Set(ideas.map((idea) => JSON.stringify(idea))).size, 12);
  t.ok(new Set(ideas.map(({ group }) => group)).size >= 8);
  const few = ideasFor(picture, picture, { count: 5, groups: ["p4m", "p2"] });
  t.ok(few.every(({ group }) => group === "p4m" || group === "p2"));
  t.equal(few.length, 5);
});

t.test("mirrors need no seam; the fewer differences, the smaller the mismatch", async (t) => {
  const { picture } = disc(64, 64, 0.5, 0.5, 0.3);
  for (const group of ["pmm", "p4m", "p3m1", "p6m"] as const) {
    const ideas = ideasFor(picture, picture, { count: 3, groups: [group] });
    t.ok(ideas.every(({ mismatch, seam }) => mismatch === 0 && seam.method === "blend"));
  }
  const groups = ["p2", "p4", "p6", "pgg"] as const;
  const rough = ideasFor(picture, picture, { count: 40, groups });
  t.ok(rough.some(({ seam }) => seam.method === "cut"));
  for (const { mismatch, seam } of rough) t.equal(seam.method === "cut", mismatch > 0.05);
});
