import type { Profiler } from "node:inspector";
import t from "tap";
import { openSide } from "../../bench/compare/open-side.ts";
import { openCollector } from "../../bench/profile/collector.ts";
import { formatProfile } from "../../bench/profile/format-profile.ts";
import { hottestFunctions, summariseThread } from "../../bench/profile/summary.ts";

const ROOT = new URL("../../", import.meta.url);

const node = (
  id: number,
  functionName: string,
  url = "",
  positionTicks: Profiler.PositionTickInfo[] = [],
): Profiler.ProfileNode => ({
  id,
  callFrame: { functionName, url, scriptId: "0", lineNumber: 9, columnNumber: 0 },
  positionTicks,
});

/** A profile with a sample a millisecond, by the numbers of nodes. */
const profileOf = (nodes: Profiler.ProfileNode[], samples: number[]): Profiler.Profile => ({
  nodes,
  startTime: 0,
  endTime: 1000 * samples.length,
  samples: [...samples, 1],
  timeDeltas: [0, ...samples.map(() => 1000)],
});

const resample = new URL("engine/image/resample.ts", ROOT).href;
const nodes = [
  node(1, "(root)"),
  node(2, "(idle)"),
  node(3, "(garbage collector)"),
  node(4, "(program)"),
  node(5, "deepestCopy", "wasm://wasm/deepestCopy-1"),
  node(6, "deepestCopy", "wasm://wasm/deepestCopy-2"),
  node(7, "resample", resample, [
    { line: 30, ticks: 1 },
    { line: 41, ticks: 3 },
  ]),
];
const threads = [
  { thread: "server main", profile: profileOf(nodes, [2, 2, 3, 4, 7, 7, 7]) },
  { thread: "server worker 1", profile: profileOf(nodes, [5, 6, 6, 7]) },
];

t.test("sums a thread's time by what it does", async (t) => {
  t.strictSame(threads.map(summariseThread), [
    { thread: "server main", busyMs: 5, kernelMs: 0, garbageMs: 1, nativeMs: 1 },
    { thread: "server worker 1", busyMs: 4, kernelMs: 3, garbageMs: 0, nativeMs: 0 },
  ]);
});

t.test("lists the hottest functions of all threads with their hottest lines", async (t) => {
  t.strictSame(hottestFunctions(threads, 3), [
    { name: "resample", where: "engine/image/resample.ts:41", ms: 4, share: 4 / 9 },
    { name: "deepestCopy", where: "kernel", ms: 3, share: 3 / 9 },
    { name: "(garbage collector)", where: "native code", ms: 1, share: 1 / 9 },
  ]);
  const text = formatProfile(threads.map(summariseThread), hottestFunctions(threads, 1));
  t.match(text, /^ {2}server worker 1 +4\.00 +75 % +0 % +0 %$/m);
  t.match(text, /^ +4\.00 +44 % +resample +engine\/image\/resample\.ts:41$/m);
});

/** A case that runs a kernel in its main thread and computes in a worker. */
const CASES = `
import { Worker } from "node:worker_threads";
import { once } from "node:events";
import { openBackend } from "ROOTengine/backend.ts";

function halveOften(x) {
  let value = x[this.thread.x];
  for (let i = 0; i < 400; i++) value = value * 0.5 + 1;
  return value;
}
const runner = await openBackend("webasm");
const x = new Float32Array(runner.chunk);
const worker = new Worker(new URL("worker.mjs", import.meta.url));
export const cases = [{
  name: "kernel",
  title: "A kernel",
  metrics: [],
  prepare: async () => ({
    contenders: [{
      name: "ours",
      ours: true,
      async run() {
        worker.postMessage("go");
        for (let i = 0; i < 100; i++) await runner.run({ run: halveOften }, runner.chunk, [x]);
        await once(worker, "message");
        return { ms: 0 };
      },
    }],
    check: async () => undefined,
    close: () => worker.terminate(),
  }),
}];`;

const WORKER = `
import { parentPort } from "node:worker_threads";
function sumOften() {
  let sum = 0;
  for (let i = 0; i < 3e8; i++) sum += i % 7;
  return sum;
}
parentPort.on("message", () => parentPort.postMessage(sumOften()));`;

t.test("records main thread and workers, with kernels by their names", async (t) => {
  const cases = CASES.replace("ROOT", ROOT.href);
  const folder = t.testdir({ bench: { cases: { "index.ts": cases, "worker.mjs": WORKER } } });
  const collector = await openCollector();
  t.teardown(() => collector.close());
  const side = await openSide(folder, collector.env);
  t.teardown(() => side.end());
  await side.request({ kind: "prepare", name: "kernel" });
  await side.request({ kind: "run", contender: "ours" });
  await collector.start();
  await side.request({ kind: "run", contender: "ours" });
  const profiles = await collector.stop();
  const hottest = (place: RegExp) =>
    hottestFunctions(
      profiles.filter(({ thread }) => place.test(thread)),
      100,
    ).map(({ name, where }) => `${name} ${where}`);
  t.ok(hottest(/^bench \d+ main$/).includes("halveOften kernel"));
  t.match(hottest(/^bench \d+ worker \d+$/).join("\n"), /worker\.mjs:\d+$/m);
  await side.request({ kind: "close" });
});
