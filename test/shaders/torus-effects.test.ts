/** Properties of every torus effect. */
import t from "tap";
import { Value } from "typebox/value";
import { GROUP_NAMES, type GroupName } from "../../engine/recipe/index.ts";
import { blur } from "../../shaders/effects/blur.ts";
import { edges } from "../../shaders/effects/edges.ts";
import type { Pixels, Torus, TorusEffect } from "../../shaders/effects/effect.ts";
import { halftone } from "../../shaders/effects/halftone.ts";
import { pixelate } from "../../shaders/effects/pixelate.ts";
import { sharpen } from "../../shaders/effects/sharpen.ts";
import { swirl } from "../../shaders/effects/swirl.ts";
import { largestDifference } from "./pixels.ts";
import { applied } from "./run-torus.ts";
import { asymmetry, shifted, symmetricTile, turnedPeriod } from "./symmetric-torus.ts";

/** Parameters that reveal differences, and the allowed difference between images of a pixel. */
const EFFECTS: readonly {
  readonly effect: TorusEffect;
  readonly strong: Readonly<Record<string, unknown>>;
  readonly levels: number;
  /** Whether it does the same everywhere, and not only at equivalent points of the lattice. */
  readonly anywhere: boolean;
}[] = [
  { effect: blur, strong: { radius: 0.06 }, levels: 0, anywhere: true },
  { effect: sharpen, strong: { amount: 4, halo: 0.02, radius: 0.02 }, levels: 0, anywhere: true },
  { effect: edges, strong: { width: 0.01, keep: 0.4, threshold: 0.02 }, levels: 0, anywhere: true },
  { effect: pixelate, strong: { blocks: 9, gap: 0.2 }, levels: 0, anywhere: false },
  { effect: halftone, strong: { dots: 11, mode: "colour" }, levels: 0, anywhere: false },
  { effect: swirl, strong: { angle: 700, radius: 0.9 }, levels: 1, anywhere: false },
];

const distance = (one: Pixels, other: Pixels) =>
  Math.max(
    largestDifference(one.colour, other.colour),
    ...(one.alpha ?? []).map((value, at) => Math.abs(value - (other.alpha as Float32Array)[at])),
  );

const cases = GROUP_NAMES.flatMap(casesOf);

t.test("every group's tile has its operations to begin with", async (t) => {
  for (const { torus, operations, title } of cases) {
    t.equal(asymmetry(torus, torus, operations), 0, title);
  }
});

for (const { effect, strong, levels, anywhere } of EFFECTS) {
  const settings = { "its defaults": {}, "strong parameters": strong };

  t.test(`${effect.id}: neutral parameters change no pixel by more than a level`, async (t) => {
    for (const transparent of [false, true]) {
      const { torus } = symmetricTile("p1", 48, { transparent });
      const out = await applied(effect, torus, { ...strong, ...effect.neutral });
      t.ok(distance(out, torus) <= 1);
    }
  });

  t.test(`${effect.id}: with its defaults it changes the pattern`, async (t) => {
    const { torus } = symmetricTile("p4", 96);
    t.ok(distance(await applied(effect, torus, {}), torus) > 8);
  });

  t.test(`${effect.id}: the defaults are valid parameters`, async (t) => {
    t.ok(Value.Check(effect.params, Value.Create(effect.params)));
    t.ok(Value.Check(effect.params, { ...Value.Create(effect.params), ...strong }));
  });

  t.test(`${effect.id}: returns valid colours and alphas only`, async (t) => {
    for (const params of Object.values(settings)) {
      const { torus } = symmetricTile("p2", 60, { transparent: true });
      const { colour, alpha } = await applied(effect, torus, params);
      t.equal(colour.length, torus.colour.length);
      t.ok(colour.every((packed) => Number.isInteger(packed) && packed >= 0 && packed < 2 ** 24));
      t.ok(alpha?.every((value) => Number.isInteger(value) && value >= 0 && value <= 255));
    }
  });

  t.test(`${effect.id}: keeps opaque pixels, and alpha 255 equals none`, async (t) => {
    const { torus } = symmetricTile("p2", 60);
    const expected = await applied(effect, torus, strong);
    t.equal(expected.alpha, null);
    const alpha = new Float32Array(torus.colour.length).fill(255);
    const out = await applied(effect, { ...torus, alpha }, strong);
    t.ok(out.alpha?.every((value) => value === 255));
    t.ok(largestDifference(out.colour, expected.colour) <= 1);
  });

  t.test(`${effect.id}: ignores the colour of transparent pixels`, async (t) => {
    const { torus } = symmetricTile("p2", 60, { transparent: true });
    const alpha = torus.alpha as Float32Array;
    const hidden = (colour: number) => ({
      ...torus,
      colour: torus.colour.map((packed, at) => (alpha[at] === 0 ? colour : packed)),
    });
    for (const params of Object.values(settings)) {
      const one = await applied(effect, hidden(0xffffff), params);
      const other = await applied(effect, hidden(0), params);
      const seen = (pixels: Pixels) => pixels.colour.map((c, at) => (one.alpha?.[at] ? c : 0));
      t.strictSame(one.alpha, other.alpha);
      t.strictSame(seen(one), seen(other));
    }
  });

  t.test(`${effect.id}: a shifted period gives the shifted result`, async (t) => {
    // Two cells by two that differ: half the width is a translation of the lattice.
    const { torus } = symmetricTile("p1", 48);
    const { a, d } = torus.toPlane;
    const four: Torus = { ...torus, toPlane: { ...torus.toPlane, a: 2 * a, d: 2 * d } };
    const discs = [0, 24].flatMap((x) =>
      [0, 24].map((y) => ({ x: x + 12, y: y + 12, radius: 12, mirrored: false })),
    );
    for (const [right, down] of anywhere
      ? [
          [5, 0],
          [31, 17],
        ]
      : [
          [24, 0],
          [24, 24],
        ]) {
      for (const params of Object.values(settings)) {
        const expected = shifted(
          { ...four, ...(await applied(effect, { ...four, discs }, params)) },
          right,
          down,
        );
        const out = await applied(effect, { ...shifted(four, right, down), discs }, params);
        t.strictSame(out.colour, expected.colour, `${right}, ${down}`);
      }
    }
  });

  for (const [name, params] of Object.entries(settings)) {
    t.test(`${effect.id}: with ${name}, every group keeps its operations`, async (t) => {
      for (const { torus, operations, title } of cases) {
        const worst = asymmetry(await applied(effect, torus, params), torus, operations);
        t.ok(worst <= levels, `${title}: ${worst} levels, ${operations.length} operations`);
      }
    });
  }

  t.test(`${effect.id}: a rotated sheet keeps them, too`, async (t) => {
    for (const group of ["pmg", "pgg", "cm", "p4g"] as const) {
      const lattice = { ratio: group === "p4g" ? 1 : 1.5, repeat: "straight" } as const;
      const { torus, operations } = turnedPeriod(group, lattice, 64);
      t.ok(operations.length >= 4, group);
      const worst = asymmetry(await applied(effect, torus, strong), torus, operations);
      t.ok(worst <= levels, `${group}: ${worst} levels`);
    }
  });
}

/** Square tiles whose grids suit a group, or its rectangular subgroup. */
function casesOf(group: GroupName) {
  const hexagonal = /^p[36]/.test(group);
  if (hexagonal) {
    return (["2x1", "7x4"] as const).map((hexCells) => ({
      title: `${group}, ${hexCells}`,
      ...symmetricTile(group, hexCells === "2x1" ? 64 : 112, { hexCells }),
    }));
  }
  const lattices = [
    { ratio: 1, repeat: "straight" },
    { ratio: 0.6, repeat: "half_drop" },
  ] as const;
  return lattices.map((lattice) => ({
    title: `${group}, ratio ${lattice.ratio}`,
    ...symmetricTile(group, 60, { lattice }),
  }));
}
