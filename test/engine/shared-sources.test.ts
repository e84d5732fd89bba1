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
import { createSourceStore, type JobSources } from "../../engine/pool/source-store.ts";
import { pixelsOf, request, testEngine } from "../helpers/engine.ts";
import { hash, photograph, pngOf } from "../helpers/pictures.ts";
import { seed } from "../helpers/random-subset.ts";

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

t.test("a source without room beside those in use is prepared for its job alone", async (t) => {
  const store = createSourceStore(600_000);
  const [first, second] = [job(store), job(store)];
  const one = await first.codec.levels(sourceOf(200, 200));
  const before = one.level(0).colour.slice();
  const large = sourceOf(210, 200);
  const two = await second.codec.levels(large);
  t.strictSame(two.level(3), prepareLevels(await decode(large.bytes)).level(3));
  t.strictSame(one.level(0).colour, before);
  first.end();
  second.end();
  await delay(20);
  const third = job(store);
  await third.codec.levels(large);
  t.equal(decoded, 3, "it was not kept");
  third.end();
});

t.test("places of sources that jobs use at the same time never overlap", async (t) => {
  const CAPACITY = 4096;
  t.comment(`SEED=${seed}`);
  let draws = 0;
  const below = (end: number) => Math.floor(hash(seed, draws++) * end);
  const bytesOf = (source: number) => 64 + ((source * 997) % 1500);
  const store = createSourceStore(CAPACITY);
  /** The jobs that run, and where the sources are that they use. */
  const jobs = new Map<JobSources, { source: number; start: number; end: number } | null>();
  const seen = { known: 0, prepared: 0, withoutRoom: 0 };
  const begin = async () => {
    const sources = store.forJob();
    const source = below(12);
    const sha256 = String(source);
    const known = sources.known(sha256);
    let levels = known ?? (await sources.claim(sha256));
    if (levels === null) {
      levels = sources.allocate(sha256, bytesOf(source));
      sources.settle(sha256);
    }
    if (known !== null) seen.known++;
    else if (levels !== null) seen.prepared++;
    else seen.withoutRoom++;
    const start = levels?.start ?? 0;
    jobs.set(sources, levels && { source, start, end: start + bytesOf(source) });
  };
  for (let n = 0; n < 4000; n++) {
    const running = [...jobs.keys()];
    if (running.length > 6 || (running.length > 0 && below(3) === 0)) {
      const ended = running[below(running.length)];
      ended.end();
      jobs.delete(ended);
    } else await begin();
    const used = [...jobs.values()].filter((place) => place !== null);
    const isApart = used.every((one) =>
      used.every((other) =>
        one.source === other.source
          ? one.start === other.start
          : one.end <= other.start || other.end <= one.start,
      ),
    );
    if (!isApart || used.some(({ end }) => end > CAPACITY)) t.fail(JSON.stringify(used));
  }
  t.ok(Math.min(...Object.values(seen)) > 100, JSON.stringify(seen));
});

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
