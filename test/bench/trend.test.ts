import t from "tap";
import type { BenchCase, Target } from "../../bench/harness/case.ts";
import type { StoredResults } from "../../bench/harness/results-folder.ts";
import { bars, formatTrends } from "../../bench/trend/format-trends.ts";
import { baselineOf, lossOf, trendsOf } from "../../bench/trend/trends.ts";

const speed: Target = { metric: "ms", peer: "numpy", must: 5 };
const time: Target = { metric: "ms", must: 20 };

const tile: BenchCase = {
  name: "tile",
  number: 2,
  title: "A tile",
  scope: "user",
  fairness: "Same source.",
  metrics: [{ name: "ms", unit: "ms", better: "lower" }],
  targets: [speed, time],
  prepare: () => Promise.reject(new Error("it is only reported")),
};

/** A stored result of the tile in so many milliseconds, beside 100 ms for numpy. */
function stored(
  commit: string,
  ms: number,
  { title = tile.title, date = "2026-11-21T11:00:00Z", cpu = "A processor" } = {},
): StoredResults {
  const targets = [
    { ...speed, reached: 100 / ms, met: true },
    { ...time, reached: ms, met: true },
  ];
  const environment = { date, commit, os: "", cpu, threads: 2, load: 0, memory: 8, versions: {} };
  const { name, metrics, fairness } = tile;
  const result = { name, title, fairness, metrics, rounds: 7, notes: [], versions: {} };
  const results = [{ ...result, contenders: [], targets }];
  return { file: `${commit}.json`, content: { environment, results } };
}

const DATES: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3 };
const dateOf = (commit: string) => DATES[commit] ?? null;

t.test("orders values by commit, whenever they were measured", async (t) => {
  const kept = [stored("third", 12), stored("first", 10), stored("second", 11)];
  const [ratio, ms] = trendsOf([tile], kept, dateOf);
  t.strictSame(ratio?.target, speed);
  t.strictSame(
    ms?.points.map(({ commit, value }) => [commit, value]),
    [
      ["first", 10],
      ["second", 11],
      ["third", 12],
    ],
  );
});

t.test("dates what git does not know by its measurement", async (t) => {
  const kept = [stored("worktree", 9), stored("third", 12)];
  const [, ms] = trendsOf([tile], kept, dateOf);
  t.equal(ms?.points.at(-1)?.commit, "worktree");
  t.equal(ms?.points.at(-1)?.date, Date.parse("2026-11-21T11:00:00Z"));
});

t.test("keeps machines apart and leaves out results of another task", async (t) => {
  const kept = [
    stored("first", 10),
    stored("second", 30, { cpu: "Another" }),
    stored("third", 1, { title: "A smaller tile" }),
  ];
  const trends = trendsOf([tile], kept, dateOf);
  t.strictSame(
    trends.map(({ machine, points }) => [machine, points.length]),
    [
      ["A processor, 2 threads", 1],
      ["Another, 2 threads", 1],
      ["A processor, 2 threads", 1],
      ["Another, 2 threads", 1],
    ],
  );
});

/** The trends of results in the order in which they were measured. */
const trendsOver = (...milliseconds: readonly number[]) =>
  trendsOf(
    [tile],
    milliseconds.map((ms, at) => stored(`c${at}`, ms, { date: `2026-11-${10 + at}` })),
    () => null,
  );

t.test("a slow creep shows although each step is small", async (t) => {
  const trends = trendsOver(10, 10.4, 10.8, 11.2, 11.7, 12.2);
  t.equal(trends.length, 2);
  for (const trend of trends) t.ok(lossOf(trend) > 0.1, trend.target.peer ?? "ms");
  const lines = formatTrends(trends).split("\n");
  t.match(
    lines[3],
    /^ {2}2 {2}tile {2}ms +≤ 20\.0 +10\.8 +12\.2 +worse by 13\.0 % +▇▆▅▄▃▂ +c0 … c5$/,
  );
});

t.test("compares the newest result with the median of the five before it", async (t) => {
  const [ratio, ms] = trendsOver(1, 2, 40, 10, 12, 8, 11, 10);
  t.equal(ms && baselineOf(ms), 11);
  t.equal(ms && lossOf(ms), 0, "one lucky result long ago is no loss");
  t.equal(ratio && lossOf(ratio), 0);
  const [worseRatio, worse] = trendsOver(10, 10, 10, 10, 10, 12.5);
  t.equal(worse && lossOf(worse), 0.25);
  t.equal(worseRatio && lossOf(worseRatio), 0.2);
  const [, only] = trendsOver(10);
  t.equal(only && baselineOf(only), null);
  t.equal(only && lossOf(only), 0);
  t.match(formatTrends(trendsOver(10)), /ms +≤ 20\.0 +10\.0 +▅ +c0$/m);
});

t.test("bars rise where a figure improves, and noise looks small", async (t) => {
  t.equal(bars([1, 2, 4], "higher"), "▁▃█");
  t.equal(bars([1, 2, 4], "lower"), "█▆▁");
  t.equal(bars([100, 101, 100], "higher"), "▄▅▄");
  t.equal(bars([0, 0], "lower"), "▅▅");
});
