import t, { type Test } from "tap";
import {
  createEngine,
  InvalidRecipe,
  Overloaded,
  SourceTooLarge,
  SourceUnreadable,
} from "../../engine/index.ts";
import { temporaryFolder } from "../helpers/database.ts";
import { bytesOf, pixelsOf, request, testEngine } from "../helpers/engine.ts";
import { photograph, pngOf, rasterOf } from "../helpers/pictures.ts";
import { FAULTS } from "./fault-codes.ts";

const engine = await testEngine(t);

t.test("errors keep their class and properties across threads", async (t) => {
  const torn = pngOf(photograph(90, 90)).subarray(0, 3000);
  await t.rejects(engine.inspect(Buffer.from("not a picture")), SourceUnreadable);
  await t.rejects(engine.render(request({ source: torn })), SourceUnreadable);
  const error = await engine.drawPreset("flowers", 1, 64).catch((error) => error);
  t.ok(error instanceof InvalidRecipe);
  t.match(error.issues, [{ path: "/preset", received: "flowers", expected: /floral/ }]);
});

t.test("rejects a small file of 60000 × 60000 pixels by its header", async (t) => {
  const png = Buffer.from(pngOf(photograph(8, 8)));
  png.writeUInt32BE(60000, 16);
  png.writeUInt32BE(60000, 20);
  png.writeUInt32BE((await import("node:zlib")).crc32(png.subarray(12, 29)), 29);
  const error = await engine.inspect(png).catch((error) => error);
  t.ok(error instanceof SourceTooLarge, String(error));
  t.match(error, { width: 60000, height: 60000 });
});

t.test("rejects only the render that exceeds the queue", async (t) => {
  const engine = await testEngine(t, { queueMax: 2 });
  const started = Array.from({ length: 6 }, (_, i) =>
    engine.render(request({ motif: { rotation: i }, render: { size: 256 } })).then(bytesOf),
  );
  const outcomes = await Promise.allSettled(started);
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  t.ok(refused.length >= 3, `${refused.length} refused`);
  t.ok(refused.every((outcome) => outcome.reason instanceof Overloaded));
  t.ok(outcomes.some((outcome) => outcome.status === "fulfilled"));
  await t.resolves(pixelsOf(engine, { render: { size: 32 } }), "afterwards there is room again");
});

t.test("a render whose reader stops frees its thread", async (t) => {
  const large = request({
    render: { mode: "surface", surface_width: 12000, surface_height: 12000, rotation: 10 },
  });
  const rendering = await engine.renderStream(large);
  for await (const chunk of rendering.body) {
    t.ok(chunk.length > 0);
    break;
  }
  await t.rejects(rendering.timings);
  t.equal((await pixelsOf(engine, { render: { size: 32 } })).width, 32);
});

t.test("an abort ends a running and a waiting render", async (t) => {
  const large = request({
    render: { mode: "surface", surface_width: 12000, surface_height: 12000, rotation: 10 },
  });
  const running = new AbortController();
  const waiting = new AbortController();
  const first = await engine.renderStream(large, running.signal);
  const second = t.rejects(engine.render(large, waiting.signal), { message: "gone" });
  waiting.abort(new Error("gone"));
  running.abort(new Error("gone too"));
  await t.rejects(bytesOf(first), { message: "gone too" });
  await second;
  t.equal((await pixelsOf(engine, { render: { size: 32 } })).width, 32);
});

t.test("a paused reader pauses the render", async (t) => {
  const rendering = await engine.renderStream(
    request({
      render: { mode: "surface", surface_width: 1800, surface_height: 1800, rotation: 5 },
    }),
  );
  const chunks: Uint8Array[] = [];
  const iterator = rendering.body[Symbol.asyncIterator]();
  chunks.push((await iterator.next()).value);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const finished = await Promise.race([rendering.timings, Promise.resolve("not yet")]);
  t.equal(finished, "not yet");
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    chunks.push(next.value);
  }
  t.ok(chunks.length > 10, `${chunks.length} chunks`);
  t.equal(rasterOf(Buffer.concat(chunks)).height, 1800);
  t.match(await rendering.timings, {
    queue: Number,
    sample: Number,
    effects: Number,
    encode: Number,
  });
});

t.test("several threads render the same pictures as one", async (t) => {
  const engine = await testEngine(t, { threads: 2, queueMax: 32 });
  const pictures = await Promise.all(
    Array.from({ length: 8 }, () => pixelsOf(engine, { group: "p6m", render: { size: 128 } })),
  );
  for (const picture of pictures) t.strictSame(picture, pictures[0]);
});

/** A sheet that takes a thread some seconds. */
const slow = request({
  render: { mode: "surface", surface_width: 9000, surface_height: 9000, rotation: 10 },
});

t.test("an abort ends a waiting render at once and frees its place", async (t) => {
  const engine = await testEngine(t, { queueMax: 1 });
  const held = await engine.renderStream(slow);
  const gone = new AbortController();
  const waiting = engine.render(slow, gone.signal);
  await t.rejects(engine.render(slow), Overloaded);
  gone.abort(new Error("gone"));
  await t.rejects(waiting, { message: "gone" });
  const next = pixelsOf(engine, { render: { size: 32 } });
  await held.body[Symbol.asyncIterator]().return?.();
  t.equal((await next).width, 32);
});

t.test("a body that is cancelled before its first chunk frees its thread", async (t) => {
  const left = await engine.renderStream(slow);
  await left.body[Symbol.asyncIterator]().return?.();
  await t.rejects(left.timings);
  t.equal((await pixelsOf(engine, { render: { size: 32 } })).width, 32);
});

t.test("renders start in order of arrival", async (t) => {
  const order: number[] = [];
  await Promise.all(
    Array.from({ length: 8 }, async (_, i) => {
      const rendering = await engine.render(request({ render: { size: 400 } }));
      order.push(i);
      await bytesOf(rendering);
    }),
  );
  for (const [place, number] of order.entries()) {
    t.ok(Math.abs(place - number) <= 1, `${number} came out as ${place}`);
  }
});

t.test("closing finishes running renders and rejects new ones", async (t) => {
  const engine = await testEngine(t, { threads: 2 });
  const long = await engine.renderStream(
    request({
      render: { mode: "surface", surface_width: 1800, surface_height: 1800, rotation: 3 },
    }),
  );
  const short = await engine.renderStream(request({ render: { size: 64 } }));
  const closed = engine.close(60_000);
  await t.rejects(engine.render(request({ render: { size: 64 } })), Overloaded);
  t.equal(rasterOf(await bytesOf(short)).width, 64);
  t.equal(rasterOf(await bytesOf(long)).width, 1800);
  await closed;
});

const FAILING = new URL("./crashing-worker.ts", import.meta.url);

/** An engine whose thread crashes or hangs in some renders. */
async function failingEngine(t: Test) {
  process.env.FAILING_WORKER_FOLDER = await temporaryFolder(t);
  const options = { backend: "webasm", threads: 1, queueMax: 8, hungMs: 200 } as const;
  const engine = await createEngine(options, FAILING);
  t.teardown(() => engine.close(0));
  return engine;
}

t.test("a render whose thread dies is retried once", async (t) => {
  const engine = await failingEngine(t);
  const render = (dpi: number) => pixelsOf(engine, { render: { size: 32, dpi } });
  t.equal((await render(FAULTS.diesOnce)).width, 32);
  await t.rejects(render(FAULTS.dies), { name: "ThreadLost" });
  t.equal((await render(72)).width, 32, "there is a thread again");
  t.equal(engine.lostThreads(), 3, "one, and the second with its second try");
});

t.test("terminates a thread that hangs in a cancelled job", async (t) => {
  const engine = await failingEngine(t);
  const stop = new AbortController();
  const hanging = engine.render(request({ render: { size: 32, dpi: FAULTS.hangs } }), stop.signal);
  stop.abort(new Error("left"));
  await t.rejects(hanging, { message: "left" });
  t.equal((await pixelsOf(engine, { render: { size: 32 } })).width, 32);
});
