/** Sources that are prepared once for all threads. */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { MessageChannel } from "node:worker_threads";
import t from "tap";
import { decode } from "../../engine/decoders/decode.ts";
import { prepareLevels } from "../../engine/image/source-levels.ts";
import type { Engine, SourceBytes } from "../../engine/index.ts";
import { type CodecPool, createCodecPool } from "../../engine/pool/codec/codec-pool.ts";
import { jobServices, serveJob } from "../../engine/pool/job-services.ts";
import { createSourceStore } from "../../engine/pool/source-store.ts";
import { pixelsOf, request, testEngine } from "../helpers/engine.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";

const sourceOf = (width: number, height: number) => {
  const bytes = pngOf(photograph(width, height));
  return { sha256: createHash("sha256").update(bytes).digest("hex"), bytes };
};
const source = sourceOf(120, 90);

const codecs = createCodecPool();
t.teardown(() => codecs.close());
let decoded = 0;
const counting: CodecPool = {
  ...codecs,
  stream(request, ...rest) {
    if (request.kind === "decode") decoded++;
    return codecs.stream(request, ...rest);
  },
};
t.beforeEach(() => {
  decoded = 0;
});

/** The codec of a job that shares the sources of `store`; `end` ends the job. */
function job(store: ReturnType<typeof createSourceStore>, codecs = counting) {
  const { port1, port2 } = new MessageChannel();
  const help = async () => new Map();
  const sources = store.forJob();
  serveJob(port1, { codecs, sources, help }, new AbortController().signal);
  return { codec: jobServices(port2, null).codec, end: () => port1.close() };
}

t.test("jobs share one preparation of a source", async (t) => {
  const store = createSourceStore(2 ** 24);
  const jobs = [job(store), job(store), job(store)];
  const all = await Promise.all(jobs.map(({ codec }) => codec.levels(source)));
  t.equal(decoded, 1);
  const [first, ...others] = all.map((levels) => levels.level(0).colour);
  first[3] = 7;
  for (const colour of others) t.equal(colour[3], 7, "it is the same memory");
  for (const { end } of jobs) end();
  const later = job(store);
  t.match(await later.codec.levels(source), { width: 120, height: 90 });
  t.equal(decoded, 1, "it is kept after its job");
  later.end();
});

t.test("a source is kept even if its job ends as soon as it is prepared", async (t) => {
  const store = createSourceStore(2 ** 24);
  const first = job(store);
  await first.codec.levels(source).finally(first.end);
  const next = job(store);
  t.match(await next.codec.levels(source), { width: 120, height: 90 });
  t.equal(decoded, 1);
  next.end();
});

t.test("the next job prepares a source again if the first job ended before", async (t) => {
  const store = createSourceStore(2 ** 24);
  const preparing = Promise.withResolvers<void>();
  const stuck = job(store, {
    ...counting,
    async stream(request, ...rest) {
      const result = await counting.stream(request, ...rest);
      preparing.resolve();
      await new Promise(() => undefined);
      return result;
    },
  });
  void stuck.codec.levels(source);
  await preparing.promise;
  const next = job(store);
  const waiting = next.codec.levels(source);
  stuck.end();
  t.match(await waiting, { width: 120, height: 90 });
  t.equal(decoded, 2);
  next.end();
});

t.test("a source that cannot be decoded is an error for all jobs, also later ones", async (t) => {
  const store = createSourceStore(2 ** 24);
  const broken = { sha256: "0".repeat(64), bytes: source.bytes.slice(0, 300) };
  const jobs = [job(store), job(store)];
  const all = await Promise.allSettled(
    jobs.map(async ({ codec, end }) => {
      try {
        return await codec.levels(broken);
      } finally {
        end();
      }
    }),
  );
  for (const outcome of all) t.match(outcome, { reason: { name: "SourceUnreadable" } });
  t.equal(decoded, 2);
});

t.test("the least recently used source makes room, and its memory is used again", async (t) => {
  const sizes = [200, 190, 180].map((height) => sourceOf(200, height));
  const store = createSourceStore(700_000);
  const use = async (source: SourceBytes) => {
    const { codec, end } = job(store);
    const levels = await codec.levels(source);
    const expected = prepareLevels(await decode(source.bytes));
    for (const level of [0, 3, 8]) t.strictSame(levels.level(level), expected.level(level));
    end();
    // The port closes after this turn of the event loop.
    await delay(20);
  };
  const [one, two, three] = sizes;
  for (const source of [one, two, one]) await use(source);
  t.equal(decoded, 2);
  for (const source of [three, one]) await use(source);
  t.equal(decoded, 3, "the second one has made room");
  await use(two);
  t.equal(decoded, 4);
});

t.test(
  "a source without room beside those in use has memory of its own while jobs use it",
  async (t) => {
    const store = createSourceStore(600_000);
    const [first, second, third] = [job(store), job(store), job(store)];
    const one = await first.codec.levels(sourceOf(200, 200));
    const before = one.level(0).colour.slice();
    const large = sourceOf(210, 200);
    const expected = prepareLevels(await decode(large.bytes)).level(3);
    for (const { codec } of [second, second, third]) {
      t.strictSame((await codec.levels(large)).level(3), expected);
    }
    t.equal(decoded, 2, "it is shared");
    t.strictSame(one.level(0).colour, before);
    for (const { end } of [first, second, third]) end();
    await delay(20);
    const last = job(store);
    await last.codec.levels(large);
    t.equal(decoded, 3, "it was not kept");
    last.end();
  },
);

t.test(
  "a source whose decoder loses pixels is an error, not a look at what was there before",
  async (t) => {
    const store = createSourceStore(2 ** 20);
    const { codec, end } = job(store, {
      ...counting,
      stream: (request, input, take, signal) =>
        counting.stream(request, input, (result, bytes) => take(result, bytes - 3), signal),
    });
    await t.rejects(codec.levels(source), /lost pixels/);
    end();
  },
);

const idle = async ({ progress }: Engine) => {
  do await new Promise(setImmediate);
  while (progress().running > 0);
};

t.test("the first render does not decode a source that was prepared before", async (t) => {
  const engine = await testEngine(t);
  const other = sourceOf(50, 50);
  engine.prepare(source);
  engine.prepare(other);
  await idle(engine);
  const undecoded = ({ sha256 }: SourceBytes) =>
    engine.render({
      ...request({ render: { size: 32 } }),
      source: { sha256, bytes: Buffer.from("not a picture") },
    });
  await t.resolves(undecoded(source));
  await t.resolves(undecoded(other));
});

t.test("a few sources wait to be prepared, and others are not", async (t) => {
  const engine = await testEngine(t);
  const sources = Array.from({ length: 6 }, (_, n) => sourceOf(50 + n, 50));
  for (const one of sources) engine.prepare(one);
  await idle(engine);
  const isPrepared = ({ sha256 }: SourceBytes) =>
    engine
      .render({
        ...request({ render: { size: 32 } }),
        source: { sha256, bytes: Buffer.from("not a picture") },
      })
      .then(
        () => true,
        () => false,
      );
  const prepared: boolean[] = [];
  for (const one of sources) prepared.push(await isPrepared(one));
  t.same(prepared, [true, true, true, true, false, false]);
});

t.test("failing to prepare a source before it is rendered has no effect on others", async (t) => {
  const engine = await testEngine(t);
  engine.prepare({ sha256: "0".repeat(64), bytes: Buffer.from("not a picture") });
  await idle(engine);
  engine.prepare(source);
  await idle(engine);
  t.equal((await pixelsOf(engine, { source: source.bytes, render: { size: 32 } })).width, 32);
});
