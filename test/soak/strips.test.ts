/** Large sheets in strips, rendered by several threads. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import t from "tap";
import { Value } from "typebox/value";
import { plainDesign, RenderFields } from "../../engine/index.ts";
import { createEngine } from "../../engine/pool/engine.ts";
import { stripsOf } from "../../engine/render/strip-plan.ts";
import { FAULTS } from "../engine/fault-codes.ts";
import { temporaryFolder } from "../helpers/database.ts";
import { bytesOf, pixelsOf, type RequestParts, request, testEngine } from "../helpers/engine.ts";
import { inThread } from "../helpers/in-thread.ts";
import { some } from "../helpers/random-subset.ts";

/** Two strips; and three, so that one has neighbours on both sides. */
const size = { surface_width: 1700, surface_height: 1260 };
const tall = { surface_width: 1700, surface_height: 2500 };

/** Sheets rendered in strips, each in its own way. */
const sheets: Record<string, RequestParts> = {
  turned: { render: { ...size, mode: "surface", rotation: 13, cell: 300 } },
  "a counterchange, turned": {
    group: "p4",
    counterchange: "p4",
    render: { ...size, mode: "surface", rotation: 13, cell: 300 },
  },
  "a period under effects": {
    render: {
      ...size,
      mode: "surface",
      cell: 240,
      surface_effects: [{ id: "vignette" }, { id: "grain" }],
    },
  },
  "effects that look at neighbours": {
    render: {
      ...tall,
      mode: "surface",
      rotation: 5,
      surface_effects: [{ id: "misregistration", params: { shift: 0.7 } }, { id: "emboss" }],
    },
  },
  "a blurred period, looked up askew": {
    effects: [{ id: "blur", params: { radius: 0.02 } }],
    render: { ...size, mode: "surface", rotation: 20, cell: 200 },
  },
  "an aperiodic tiling": { render: { ...size, mode: "aperiodic", aperiodic: { kind: "hat" } } },
};

const engines = { one: await testEngine(t), three: await testEngine(t, { threads: 3 }) };
const { render } = await inThread(t);

for (const [name, parts] of some(Object.entries(sheets), 2)) {
  t.test(
    `${name}: any number of threads gives the same bytes, and the pixels of one strip`,
    async (t) => {
      const asked = request(parts);
      t.ok(stripsOf(asked.design, asked.render).length > 1, "it has several strips");
      const file = Buffer.from(await render(parts));
      for (const engine of Object.values(engines)) {
        const made = await bytesOf(await engine.render(asked));
        t.equal(Buffer.compare(file, made), 0, `${engine.threads} threads`);
      }
      const inOneGo = { ...parts, render: { ...parts.render, format: "tiff" as const } };
      const whole = await sharp(await render(inOneGo))
        .raw()
        .toBuffer();
      t.equal(Buffer.compare(await sharp(file).raw().toBuffer(), whole), 0);
    },
  );
}

t.test("strips cover each row once and depend on the recipe only", (t) => {
  const fields = Value.Create(RenderFields);
  for (const [width, height] of [
    [20_000, 20_000],
    [1, 20_000],
    [20_000, 1],
    [3001, 7001],
  ] as const) {
    for (const surface_effects of [[], [{ id: "emboss", params: { depth: 0.7 } }]]) {
      const render = {
        ...fields,
        mode: "surface",
        rotation: 3,
        surface_width: width,
        surface_height: height,
        surface_effects,
      } as const;
      const strips = stripsOf(plainDesign("p4"), render);
      const ends = strips.map(({ first, count }) => first + count);
      t.same(
        strips.map(({ first }) => first),
        [0, ...ends.slice(0, -1)],
      );
      t.equal(ends.at(-1), height);
      t.ok(strips.every(({ count }) => count > 0));
    }
  }
  t.end();
});

t.test("whole-image formats and repeating sheets are one strip", (t) => {
  const large = { mode: "surface", surface_width: 8000, surface_height: 8000 } as const;
  const inOneGo: RequestParts["render"][] = [
    { size: 4096 },
    { ...large, cell: 512 },
    { ...large, rotation: 5, format: "jpeg" },
  ];
  for (const parts of inOneGo) {
    const { design, render } = request(parts ? { render: parts } : {});
    t.equal(stripsOf(design, render).length, 1);
  }
  t.end();
});

t.test("a strip whose thread dies is retried", async (t) => {
  process.env.FAILING_WORKER_FOLDER = await temporaryFolder(t);
  const worker = new URL("../engine/crashing-worker.ts", import.meta.url);
  const engine = await createEngine({ backend: "webasm", threads: 2, queueMax: 8 }, worker);
  t.teardown(() => engine.close(0));
  const parts: RequestParts = { render: { ...sheets.turned?.render, dpi: FAULTS.diesOnce } };
  const made = await bytesOf(await engine.render(request(parts)));
  t.ok(existsSync(join(process.env.FAILING_WORKER_FOLDER, "died")));
  t.equal(Buffer.compare(Buffer.from(await render(parts)), made), 0);
});

t.test("cancelling a reader cancels its strips", async (t) => {
  const { one } = engines;
  const { body, timings } = await one.renderStream(request(sheets.turned));
  for await (const piece of body) if (piece.length > 0) break;
  await t.rejects(timings, /not read to its end/);
  t.equal((await pixelsOf(one, { render: { size: 32 } })).width, 32);
});

t.test("a tile of another owner does not wait for a sheet", async (t) => {
  const { one } = engines;
  const stop = new AbortController();
  const large = {
    mode: "surface",
    surface_width: 9000,
    surface_height: 9000,
    rotation: 5,
  } as const;
  const rendering = await one.renderStream(request({ render: large }), stop.signal, "sheets");
  const sheet = t.rejects(bytesOf(rendering), { message: "enough" }, "it is cancelled");
  await bytesOf(await one.render(request({ render: { size: 64 } }), undefined, "tiles"));
  stop.abort(new Error("enough"));
  await sheet;
});
