/** An engine at other nodes does what one in this process does. */
import { createHash } from "node:crypto";
import t from "tap";
import { Value } from "typebox/value";
import {
  checkDesign,
  DeadlineExceeded,
  type Engine,
  InvalidRecipe,
  Overloaded,
  type RenderFields,
  SourceTooLarge,
  SourceUnreadable,
  ValidateFields,
} from "../../engine/index.ts";
import type { CALLS } from "../../server/render-nodes/protocol.ts";
import { testDatabase } from "../helpers/database.ts";
import { bytesOf, processEngine, request, testEngine } from "../helpers/engine.ts";
import { until } from "../helpers/jobs.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { printed, printRequest } from "../helpers/print.ts";
import { callServer, listedNode, remoteEngine, renderNode } from "../helpers/render-nodes.ts";

const png = pngOf(photograph(96, 64));
const { design, source } = request({ group: "p4", source: png });
const inked = { ...design, effects: [{ id: "flat_inks", params: { count: 4 } }] };
const flat = checkDesign(inked);
const fields = { size: 64, tile: "square", hex_cells: "7x4" } as const;
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="9" height="9"/></svg>',
);

/** A sheet that takes seconds. */
const SHEET: Partial<RenderFields> = {
  mode: "surface",
  surface_width: 1200,
  surface_height: 16_000,
  surface_effects: [{ id: "vignette", params: { strength: 0.5 } }],
};

/** Each call, as a value that two engines can be compared by. */
const TRIES: Readonly<Record<keyof typeof CALLS, (engine: Engine) => Promise<unknown>>> = {
  async render(engine) {
    const { timings, ...picture } = await engine.render(request({ render: { size: 96 } }));
    return { ...picture, steps: Object.keys(timings) };
  },
  async renderStream(engine) {
    const { body, timings, ...header } = await engine.renderStream(
      request({ render: { ...SHEET, surface_height: 800 } }),
    );
    const bytes = await bytesOf({ ...header, body, timings });
    return { header, bytes, steps: Object.keys(await timings) };
  },
  print: (engine) => printed(engine, { print: { format: "tiff", cell_mm: 20 } }),
  drawPreset: (engine) => engine.drawPreset("floral", 7, 128),
  inspect: (engine) => Promise.all([png, svg].map((bytes) => engine.inspect(bytes))),
  // Of what was inspected, as after an upload.
  async prepare(engine) {
    engine.prepare(await engine.inspect(png));
    const { timings, ...picture } = await engine.render(request({ source: png }));
    return picture;
  },
  encodeLevel: (engine) => engine.encodeLevel({ source, level: 1 }),
  sourceColours: (engine) => engine.sourceColours({ source, count: 5 }),
  ideas: (engine) => engine.ideas({ source, count: 2, groups: ["p4", "p6m"] }),
  inks: (engine) => engine.inks({ design: flat, source, fields }),
  async separate(engine) {
    const [ink] = (await engine.inks({ design: flat, source, fields })) ?? [];
    const colour = ink?.colour ?? "";
    return engine.separate({ design: flat, source, colour, fields: { ...fields, dpi: 300 } });
  },
  drawVector: (engine) =>
    engine.drawVector({ design: flat, source, format: "svg", size: 128, cell_mm: 50 }),
  certify: (engine) =>
    Promise.all([
      engine.certify({ kind: "design", design, source, fields: Value.Create(ValidateFields) }),
      engine.certify({ kind: "picture", bytes: png, group: "p4" }),
    ]),
  drawMockup: (engine) => engine.drawMockup({ design, source, product: "mug" }),
  packedMap: (engine) => engine.packedMap("mug", 400),
  drawContactSheet: (engine) => engine.drawContactSheet([png, null, png]),
};

t.test("every call returns what an engine in this process does", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  await renderNode(t, db, engine);
  const { remote } = await remoteEngine(t, db, engine);
  t.equal(remote.threads, engine.threads);
  for (const [name, attempt] of Object.entries(TRIES)) {
    const [here, there] = [await attempt(engine), await attempt(remote)];
    t.same(plain(there), plain(here), name);
  }
});

/** Replaces bytes by their hash, whatever class of arrays they are. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, function (this: Record<string, unknown>, key, shown) {
      const given = this[key];
      return given instanceof Uint8Array ? createHash("sha256").update(given).digest("hex") : shown;
    }),
  );

t.test("errors arrive as errors of their class, with their facts", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  const issues = [{ path: "/size", message: "too small", expected: "more", received: "less" }];
  const errors = [
    new InvalidRecipe(issues),
    new SourceUnreadable("torn"),
    new SourceTooLarge(9000, 8000, { pixels: 5, side: 6 }),
    new DeadlineExceeded(1500),
    new Overloaded(12),
    new Error("a fault"),
  ];
  let thrown = errors[0];
  const failing = { ...engine, render: () => Promise.reject(thrown) };
  await renderNode(t, db, failing);
  const { remote } = await remoteEngine(t, db, engine);
  for (const error of errors) {
    thrown = error;
    const got = await remote.render(request({})).catch((caught) => caught);
    t.equal(Object.getPrototypeOf(got), Object.getPrototypeOf(error), error.name);
    t.equal(String(got), String(error));
    t.same({ ...got }, { ...error });
  }
  const unreadable = remote.inspect(Buffer.from("no picture"));
  await t.rejects(unreadable, SourceUnreadable);
});

t.test("a source is sent once for calls at the same time, and not again", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  let sent = 0;
  const serve = await callServer(db, engine);
  await listedNode(t, db, engine, (asked, response) => {
    if (asked.method === "PUT") sent++;
    serve(asked, response);
  });
  const { remote } = await remoteEngine(t, db, engine);
  const sizes = [32, 40, 48, 56];
  await Promise.all(sizes.map((size) => remote.render(request({ source: png, render: { size } }))));
  t.equal(sent, 1);
  await remote.render(request({ source: png, render: { size: 64 } }));
  t.equal(sent, 1);
});

t.test("an uploaded source is sent to be prepared, and not again", async (t) => {
  const engine = await processEngine();
  const db = await testDatabase(t);
  const prepared: Uint8Array[] = [];
  const preparing = {
    ...engine,
    prepare: ({ bytes }: Parameters<Engine["prepare"]>[0]) => void prepared.push(bytes),
  };
  const serve = await callServer(db, preparing);
  const put: string[] = [];
  const nodes = [1, 2, 3].map((name) =>
    listedNode(t, db, engine, (asked, response) => {
      if (asked.method === "PUT") put.push(`${name} ${asked.url}`);
      serve(asked, response);
    }),
  );
  await Promise.all(nodes);
  const { remote } = await remoteEngine(t, db, engine);
  const inspected = await remote.inspect(png);
  remote.prepare(inspected);
  await until(() => prepared.length === 1 && remote.progress().running === 0);
  t.same(prepared, [png]);
  t.equal(put.length, 1);
  await remote.render(request({ source: png, render: { size: 64 } }));
  t.equal(put.length, 1, "renders go to the node that has it");
});

t.test("a caller that leaves cancels its call, which frees the thread", async (t) => {
  const engine = await testEngine(t);
  const db = await testDatabase(t);
  await renderNode(t, db, engine);
  const { remote, list } = await remoteEngine(t, db, engine);
  const slow = request({
    render: { size: 4096 },
    effects: [{ id: "blur", params: { radius: 0.04 } }],
  });
  const left = new AbortController();
  const rendering = remote.render(slow, left.signal);
  await until(() => engine.progress().running === 1);
  left.abort(new Error("left"));
  await t.rejects(rendering, { message: "left" });
  await until(() => engine.progress().running === 0);

  const stream = await remote.renderStream(request({ render: SHEET }));
  for await (const _ of stream.body) break;
  await t.rejects(stream.timings);
  await until(() => engine.progress().running === 0);

  const unread = new AbortController();
  const never = await remote.print(printRequest({ print: { format: "png" } }), unread.signal);
  unread.abort(new Error("never read"));
  await t.rejects(never.patch, { message: "never read" });
  await until(() => engine.progress().running === 0);
  t.equal(remote.progress().running, 0);
  t.equal(list.nodes[0]?.outstanding, 0);
  await t.rejects(remote.render(slow, AbortSignal.abort(new Error("before"))), {
    message: "before",
  });
});
