/** Cancelled renders, and what stays bound on the device meanwhile. */
import t from "tap";
import { textureKernel } from "../../shaders/texture.ts";
import type { RequestParts } from "../helpers/engine.ts";
import { inThread } from "../helpers/in-thread.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";

const sheet = { surface_width: 300, surface_height: 200, cell: 60 };
const blurred = [{ id: "blur", params: { radius: 0.02 } }];

/** Sheets that sample a finished picture, each in its own way. */
const textured: Record<string, RequestParts> = {
  "of a tiling": {
    effects: blurred,
    render: { ...sheet, mode: "aperiodic", aperiodic: { kind: "multigrid", n: 13 } },
  },
  "of waves": {
    effects: blurred,
    render: { ...sheet, mode: "aperiodic", aperiodic: { kind: "quasicrystal" } },
  },
  "that lies askew": { effects: blurred, render: { ...sheet, mode: "surface", rotation: 20 } },
};

for (const [which, parts] of Object.entries(textured)) {
  t.test(`releases the texture of a sheet ${which}, wherever it is cancelled`, async (t) => {
    const bench = await inThread(t);
    let checkpoints = 0;
    let most = 0;
    await bench.render(parts, () => {
      checkpoints++;
      most = Math.max(most, bench.bound().get(textureKernel) ?? 0);
    });
    t.equal(most, 1, "there is one texture meanwhile");
    t.equal(bench.bound().get(textureKernel), undefined);
    for (let stop = 1; stop <= checkpoints; stop += Math.ceil(checkpoints / 12)) {
      // Another context has cached nothing.
      const bench = await inThread(t);
      let left = stop;
      const stopped = bench.render(parts, () => {
        left--;
        if (left === 0) throw new Error("stopped");
      });
      await t.rejects(stopped, { message: "stopped" });
      t.equal(bench.bound().get(textureKernel), undefined, `stopped at ${stop} of ${checkpoints}`);
    }
  });
}

t.test("renders a sheet whose source exceeds the cache", async (t) => {
  const parts: RequestParts = {
    source: pngOf(photograph(900, 700)),
    render: { ...sheet, mode: "aperiodic", cell: 300, aperiodic: { kind: "multigrid", n: 13 } },
  };
  const expected = await (await inThread(t)).render(parts);
  for (const cacheBytes of [1, 6 * 1024 * 1024, 12 * 1024 * 1024]) {
    const actual = await (await inThread(t, cacheBytes)).render(parts);
    t.equal(Buffer.compare(actual, expected), 0, `${cacheBytes} bytes`);
  }
});

t.test("shares compiled kernels between designs and releases them to keep its limit", async (t) => {
  const source = pngOf(photograph(30, 20));
  // More than the pixels for which parts share one kernel.
  const large = pngOf(photograph(2200, 2200));
  const expected = await (await inThread(t)).render({ source, render: { size: 16 } });
  for (const [megabytes, most] of [
    [256, 2],
    [12, 1],
  ] as const) {
    const bench = await inThread(t, megabytes * 1024 * 1024);
    const kernels = () => [...bench.bound().values()].reduce((sum, count) => sum + count, 0);
    for (let k = 0; k < 10; k++) {
      await bench.render({ source, motif: { scale: 20, x: k / 10 }, render: { size: 16 } });
    }
    t.equal(kernels(), 1);
    await bench.render({ group: "p1", source: large, render: { size: 2200 } });
    t.equal(kernels(), most, `within ${megabytes} MB`);
    const actual = await bench.render({ source, render: { size: 16 } });
    t.equal(Buffer.compare(actual, expected), 0, "after other cuts have been written");
  }
});

t.test("calls the checkpoint every few kernel calls", async (t) => {
  const bench = await inThread(t);
  const large = { surface_width: 1200, surface_height: 300, cell: 300 };
  const cases: Record<string, RequestParts> = {
    tile: { render: { size: 700 } },
    surface: { render: { ...large, mode: "surface", rotation: 20 } },
    tiling: { render: { ...large, mode: "aperiodic", aperiodic: { kind: "hat" } } },
    waves: { render: { ...large, mode: "aperiodic", aperiodic: { kind: "quasicrystal" } } },
  };
  for (const [name, parts] of Object.entries(cases)) {
    let last = bench.calls();
    let most = 0;
    await bench.render(parts, () => {
      most = Math.max(most, bench.calls() - last);
      last = bench.calls();
    });
    t.ok(most > 0 && most <= 2, `${name}: after ${most} calls`);
  }
});

t.test("calls the checkpoint every few thousand tiles", async (t) => {
  const bench = await inThread(t);
  let checkpoints = 0;
  // Edges of 2 pixels: some 80,000 tiles.
  const render = {
    mode: "aperiodic",
    surface_width: 4000,
    surface_height: 70,
    size: 16,
    aperiodic: { fill: "flat" },
  } as const;
  await bench.render({ render }, () => {
    checkpoints++;
  });
  t.ok(checkpoints > 20, `${checkpoints} times`);
});
