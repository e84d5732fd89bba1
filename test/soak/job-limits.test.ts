/** Jobs on untrusted pictures: each one ends, whatever it does, and delays nobody else. */
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import sharp from "sharp";
import t from "tap";
import { DeadlineExceeded, SourceUnreadable } from "../../engine/index.ts";
import { createEngine } from "../../engine/pool/engine.ts";
import { FAULTS } from "../engine/fault-codes.ts";
import { descendantsOf } from "../helpers/child-processes.ts";
import { temporaryFolder } from "../helpers/database.ts";
import { bytesOf, pixelsOf, request, testEngine } from "../helpers/engine.ts";
import { noisePng, photograph, pngOf } from "../helpers/pictures.ts";
import { smallDisk } from "../helpers/small-disk.ts";

/** A drawing without layers that takes minutes: it covers itself many thousand times. */
const rect = '<rect width="9" height="9" fill-opacity=".5"/>';
const slow = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${rect.repeat(99_000)}</svg>`,
);
const small = pngOf(photograph(40, 30));

const children = () => descendantsOf(process.pid).map(({ id }) => id);

t.test("rejects a picture that takes too long to decode", async (t) => {
  const engine = await testEngine(t, { codec: { decodeMs: 500 } });
  const late = { name: "SourceUnreadable", message: /longer than 0.5 seconds to decode/ };
  await t.rejects(engine.inspect(slow), late);
  await t.rejects(engine.render(request({ source: slow })), late);
  await t.rejects(engine.certify({ kind: "picture", bytes: slow, group: "p4" }), late);
  t.match(await engine.inspect(small), { width: 40 }, "the next picture is taken");
  t.equal((await pixelsOf(engine, { source: small, render: { size: 32 } })).width, 32);
});

t.test("an abort ends a running decoder and its process", async (t) => {
  const engine = await testEngine(t);
  const jobs: readonly ((signal: AbortSignal) => Promise<unknown>)[] = [
    (signal) => engine.inspect(slow, signal),
    (signal) => engine.render(request({ source: slow }), signal),
  ];
  for (const start of jobs) {
    const stop = new AbortController();
    const started = start(stop.signal);
    started.catch(() => undefined);
    // The queue is first in, first out: jobs behind it have not started.
    const waiting = engine.inspect(small);
    setImmediate(() => stop.abort(new Error("left")));
    await t.rejects(started, { message: "left" });
    t.match(await waiting, { width: 40 });
  }
});

t.test("closing kills running decoders", { skip: process.platform !== "linux" }, async (t) => {
  const before = children();
  const engine = await createEngine({ backend: "webasm", threads: 1, queueMax: 8 });
  const decoding = engine.render(request({ source: slow }));
  const waiting = engine.inspect(small);
  const ended = Promise.allSettled([decoding, waiting]);
  while (children().length === before.length) await new Promise(setImmediate);
  await engine.close(0);
  const outcomes = await ended;
  t.ok(outcomes.every(({ status }) => status === "rejected"));
  while (children().length > before.length) await new Promise(setImmediate);
  t.same(children(), before);
});

t.test(
  "rejects a picture that takes too much memory to decode",
  { skip: process.platform !== "linux" },
  async (t) => {
    const create = { width: 6000, height: 6000, channels: 4, background: "#c83c1e80" } as const;
    const interlaced = await sharp({ create, limitInputPixels: false })
      .toColourspace("rgb16")
      .png({ progressive: true })
      .toBuffer();
    const narrow = await testEngine(t, { codec: { memoryBytes: 1.1 * 2 ** 30 } });
    await t.rejects(narrow.inspect(interlaced), SourceUnreadable);
    t.match(await narrow.inspect(small), { width: 40 }, "there is room for others");
    const wide = await testEngine(t);
    t.match(await wide.inspect(interlaced), { width: 6000, hasAlpha: true });
  },
);

t.test(
  "rejects a render that takes too much memory to encode",
  { skip: process.platform !== "linux" },
  async (t) => {
    const engine = await testEngine(t, { codec: { memoryBytes: 0.75 * 2 ** 30 } });
    for (const format of ["avif", "jpeg"] as const) {
      const large = request({ group: "p4m", render: { size: 4096, format } });
      await t.rejects(engine.render(large).then(bytesOf), {
        name: "InvalidRecipe",
        issues: [{ path: "/format", message: new RegExp(`cannot be encoded as ${format}`) }],
      });
    }
    const render = { size: 64, format: "jpeg" } as const;
    t.ok((await bytesOf(await engine.render(request({ render })))).length > 0);
  },
);

t.test("reports a full disk for temporary files", async (t) => {
  const disk = await smallDisk(t, 2);
  if (disk === null) return;
  const { TMPDIR = tmpdir() } = process.env;
  process.env.TMPDIR = disk;
  t.teardown(() => {
    process.env.TMPDIR = TMPDIR;
  });
  const engine = await testEngine(t);
  const large = pngOf(photograph(900, 900));
  const full = { code: "ENOSPC" };
  await t.rejects(engine.inspect(new Uint8Array(3 * 2 ** 20)), full);
  await t.rejects(engine.render(request({ source: large })), full, "pixels that were decoded");
  const encoded = request({ source: small, render: { size: 1000, format: "jpeg" } });
  await t.rejects(engine.render(encoded).then(bytesOf), full, "pixels to encode");
  t.equal((await pixelsOf(engine, { source: small, render: { size: 32 } })).width, 32);
});

t.test("jobs have a deadline, and a hanging thread is replaced", async (t) => {
  process.env.FAILING_WORKER_FOLDER = await temporaryFolder(t);
  const engine = await createEngine(
    { backend: "webasm", threads: 1, queueMax: 8, jobMs: 3000, hungMs: 100 },
    new URL("../engine/crashing-worker.ts", import.meta.url),
  );
  t.teardown(() => engine.close(0));
  const hanging = request({ render: { size: 32, dpi: FAULTS.hangs } });
  await t.rejects(engine.render(hanging), DeadlineExceeded);
  // Megapixels extend the deadline, because a thread takes time to start.
  t.equal((await pixelsOf(engine, { render: { size: 2000 } })).width, 2000);
});

t.test("a job past its deadline ends even if nothing reads its stream", async (t) => {
  const folder = await temporaryFolder(t);
  process.env.FAILING_WORKER_FOLDER = folder;
  const engine = await createEngine(
    { backend: "webasm", threads: 1, queueMax: 8, jobMs: 4000, hungMs: 60_000 },
    new URL("../engine/crashing-worker.ts", import.meta.url),
  );
  t.teardown(() => engine.close(0));
  const noise = await noisePng(1000, 1000);
  // More bytes than are sent ahead of a reader.
  const { body } = await engine.renderStream(
    request({ group: "p1", source: noise, render: { size: 1400 } }),
  );
  while (engine.progress().running > 0) await delay(100);
  await t.rejects(Array.fromAsync(body), DeadlineExceeded);
  t.equal((await pixelsOf(engine, { render: { size: 64 } })).width, 64);
  t.equal(await readFile(join(folder, "threads"), "utf8"), "x", "the thread is not replaced");
});

t.test("an account that occupies all threads does not block others", async (t) => {
  const engine = await testEngine(t, { threads: 2, queueMax: 64 });
  const stop = new AbortController();
  let ended = 0;
  const hostile = Array.from({ length: 12 }, (_, index) =>
    (index % 2 === 0
      ? engine.inspect(slow, stop.signal, "hostile")
      : engine.render(request({ source: slow }), stop.signal, "hostile")
    ).finally(() => ended++),
  );
  const all = Promise.allSettled(hostile);
  const [tile, facts] = await Promise.all([
    engine
      .render(request({ source: small, render: { size: 64 } }), undefined, "one other")
      .then(bytesOf),
    engine.inspect(small, undefined, "another"),
  ]);
  t.ok(tile.length > 0);
  t.equal(facts.width, 40);
  t.equal(ended, 0, "none of its jobs had to end first");
  stop.abort();
  await all;
});
