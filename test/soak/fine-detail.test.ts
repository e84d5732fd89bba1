/** Patterns of few pixels are certified if the pixels show enough, and otherwise too fine. */
import t from "tap";
import { evaluateClaim, examine } from "../../engine/certificate/certify.ts";
import { check, grey } from "../certificate/draw.ts";
import { claimsOf, sampledGroups } from "../certificate/sampled-groups.ts";
import { contains } from "../certificate/subgroups.ts";
import { swatchOf, testEngine } from "../helpers/engine.ts";
import { all } from "../helpers/random-subset.ts";

const lattice = { ratio: 1, repeat: "straight" } as const;
const one = { lattice, hexCells: "7x4" } as const;

/** Two pixels side by side in each cell, one brighter: exactly pm. */
const dots = (size: number, period: number, second: number) =>
  grey(size, size, (x, y) => {
    if (y % period !== 2) return 0;
    if (x % period === 3) return 255;
    return x % period === 4 ? second : 0;
  });

const engine = await testEngine(t);

t.test("two unlike dots side by side are neither p4m nor pmm", async (t) => {
  const large = [
    [512, 8],
    [512, 32],
    [1024, 16],
  ] as const;
  for (const [size, period] of [[64, 8], [256, 32], ...(all ? large : [])] as const) {
    const examined = await examine(dots(size, period, 90));
    for (const group of ["p4m", "pmm", "p4", "p2"] as const) {
      const { verdict, summary } = await evaluateClaim(examined, { group, ...one });
      t.ok(["broken", "undecided"].includes(verdict), `${size}/${period} ${group}: ${summary}`);
    }
    const pm = await evaluateClaim(examined, { group: "pm", ...one });
    t.not(pm.verdict, "broken", `${size}/${period} pm: ${pm.summary}`);
  }
});

t.test("reports checks and stripes of single pixels as too fine", async (t) => {
  for (const size of all ? [64, 512, 1024] : [64, 1024]) {
    const checks = grey(size, size, (x, y) => 255 * ((x + y) % 2));
    const stripes = grey(size, size, (x) => 255 * (x % 2));
    for (const image of all || size === 64 ? [checks, stripes] : [checks]) {
      const examined = await examine(image);
      for (const group of ["p1", "pmm", "p4m", "p6m"] as const) {
        const certificate = await evaluateClaim(examined, { group, ...one });
        t.match(certificate, { verdict: "undecided", found: null, failing: null, lattice: null });
        t.match(certificate.summary, size > 768 ? /at most 768 pixels/ : /single pixels/);
      }
    }
  }
});

t.test("fine detail counts even if coarse detail has more symmetry", async (t) => {
  // Round spots, p4m, under diagonal hatching of two pixels, which has no mirrors of theirs.
  const spot = (x: number, y: number) =>
    60 * Math.cos((2 * Math.PI * x) / 64) * Math.cos((2 * Math.PI * y) / 64);
  const hatched = grey(256, 256, (x, y) => 128 + spot(x, y) + 45 * ((x + 2 * y) % 4 < 2 ? 1 : -1));
  const plain = grey(256, 256, (x, y) => 128 + spot(x, y));
  t.match(await check(plain, "p4m"), { verdict: "valid" });
  const { verdict, summary, failing } = await check(hatched, "p4m");
  t.equal(verdict, "broken", summary);
  t.type(failing, "string");
});

for (const size of [16, 33, 48]) {
  t.test(`tiles of ${size} pixels get a correct verdict or none`, async (t) => {
    for (const truth of sampledGroups(size)) {
      const tile = await swatchOf(engine, { group: truth, render: { size } });
      const examined = await examine(tile);
      for (const group of claimsOf(truth)) {
        const claim = { group, lattice, hexCells: "7x4", cells: "rendered" } as const;
        const { verdict, summary } = await evaluateClaim(examined, claim);
        const held = contains(truth, group) ? "more_symmetric" : "broken";
        const expected = truth === group ? "valid" : held;
        t.ok([expected, "undecided"].includes(verdict), `${truth} as ${group}: ${summary}`);
      }
    }
  });
}

t.test("small tiles are valid, or too small to tell", async (t) => {
  for (const size of [64, 100, 129]) {
    for (const group of sampledGroups()) {
      const tile = await swatchOf(engine, { group, render: { size } });
      const { verdict, summary } = await check(tile, group, { cells: "rendered" });
      const isHexagonal = /^p[36]/.test(group);
      const fine = isHexagonal ? ["valid", "undecided"] : ["valid"];
      t.ok(fine.includes(verdict), `${group} at ${size}: ${summary}`);
      if (verdict === "undecided") t.match(summary, /larger picture/);
    }
  }
});
