import t from "tap";
import { apply } from "../../engine/geometry/affine.ts";
import { domainOf } from "../../engine/geometry/domain.ts";
import { isometriesOf } from "../../engine/geometry/isometries.ts";
import { labOf, saliencyOf } from "../../engine/image/saliency.ts";
import type { SampledImage } from "../../engine/image/samples.ts";
import { GROUP_NAMES, plainDesign } from "../../engine/recipe/index.ts";
import { type Idea, ideasFor } from "../../engine/render/ideas.ts";
import { placeMotif } from "../../engine/render/placement.ts";
import type { Size } from "../../engine/size.ts";
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

const ideasOf = (
  picture: SampledImage,
  request: Parameters<typeof ideasFor>[1],
  size: Size = picture,
) => ideasFor({ picture, size }, request);

const ALL = { count: 12, groups: GROUP_NAMES };

/** Corners of a motif's domain in pixels of the picture. */
function cornersOf({ group, motif }: Idea, size: Size) {
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
  t.equal((await ideasOf(picture, ALL)).length, 12);
  const clear = { ...picture, alpha: new Float32Array(600) };
  t.equal((await ideasOf(clear, ALL)).length, 12);
});

t.test("motifs lie in the picture, wherever its subject is", async (t) => {
  const size = { width: 3000, height: 2000 };
  const { picture } = disc(75, 50, 0.7, 0.35, 0.1);
  for (const idea of await ideasOf(picture, ALL, size)) {
    for (const { x, y } of cornersOf(idea, size)) {
      t.ok(x > -1 && x < size.width + 1 && y > -1 && y < size.height + 1, idea.group);
    }
  }
});

t.test("a motif shows the subject of a panorama, not the panorama's middle", async (t) => {
  for (const group of some(GROUP_NAMES, 6)) {
    for (const at of [0.12, 0.88]) {
      const { picture } = disc(180, 24, at, 0.5, 0.04);
      const [idea] = await ideasOf(picture, { count: 1, groups: [group] });
      t.equal(idea.group, group);
      t.ok(Math.abs(idea.motif.x - at) < 0.15, `${group}: at ${idea.motif.x} for ${at}`);
    }
  }
});

t.test("twelve ideas are of different groups, among those that are wanted", async (t) => {
  const { picture } = disc(64, 64, 0.4, 0.4, 0.15);
  const ideas = await ideasOf(picture, ALL);
  t.equal(ideas.length, 12);
  t.ok(new Set(ideas.map(({ group }) => group)).size >= 8);
  const few = await ideasOf(picture, { count: 5, groups: ["p4m", "p2"] });
  t.equal(few.length, 5);
  t.same(new Set(few.map(({ group }) => group)), new Set(["p4m", "p2"]));
});

t.test("edges that are no mirrors mismatch unless they look the same", async (t) => {
  const { picture } = disc(64, 64, 0.5, 0.5, 0.3);
  const plain = { ...picture, colour: new Float32Array(64 * 64).fill(0x336699) };
  for (const group of GROUP_NAMES) {
    const isMirrored = ["pmm", "p4m", "p3m1", "p6m"].includes(group);
    for (const [of, isSame] of [
      [picture, isMirrored],
      [plain, true],
    ] as const) {
      const [{ mismatch, seam }] = await ideasOf(of, { count: 1, groups: [group] });
      t.equal(mismatch === 0, isSame, group);
      if (isSame) t.equal(seam.method, "blend");
    }
  }
  const rough = await ideasOf(picture, { count: 40, groups: ["p2", "p4", "p6", "pgg"] });
  t.ok(rough.some(({ seam }) => seam.method === "cut"));
});

t.test("the lattice of a pattern decides what fits into the picture", async (t) => {
  const { picture } = disc(90, 30, 0.8, 0.5, 0.1);
  const lattice = { ratio: 0.25, repeat: "straight" } as const;
  const ideas = await ideasOf(picture, { count: 5, groups: ["pmm"], lattice });
  t.ok(ideas.length > 0);
  const { corners } = domainOf(isometriesOf("pmm", lattice));
  for (const { motif } of ideas) {
    const map = placeMotif(corners, motif, picture);
    const xs = corners.map((corner) => apply(map, corner).x);
    t.ok(Math.min(...xs) > -0.01 && Math.max(...xs) < 90.01);
  }
});

t.test("the smallest and the narrowest pictures have ideas", async (t) => {
  for (const [width, height] of [
    [1, 1],
    [1, 200],
    [300, 2],
  ]) {
    const { picture } = disc(width, height, 0.5, 0.5, 0.2);
    const ideas = await ideasOf(picture, ALL);
    t.ok(ideas.every(({ subject, mismatch }) => subject >= 0 && subject <= 1 && mismatch >= 0));
    t.equal(ideas.length, 12);
  }
});
