import t from "tap";
import type { BenchCase, Target } from "../../bench/harness/case.ts";
import type { StoredResults } from "../../bench/harness/results-folder.ts";
import { bars, formatTrends } from "../../bench/trend/format-trends.ts";
import { lossOf, trendsOf } from "../../bench/trend/trends.ts";

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

t.test("a slow creep shows although each step is small", async (t) => {
  const kept = ["first", "second", "third"].map((commit, at) => stored(commit, 10 * 1.08 ** at));
  const trends = trendsOf([tile], kept, dateOf);
  for (const trend of trends) t.ok(lossOf(trend) > 0.14, trend.target.peer ?? "ms");
  const lines = formatTrends(trends).split("\n");
  t.match(
    lines[3],
    /^ {2}2 {2}tile {2}ms +≤ 20\.0 +10\.0 +11\.7 +worse by 16\.6 % +▇▅▂ +first … third$/,
  );
  const [best] = trendsOf([tile], kept.slice(0, 1), dateOf);
  t.equal(best && lossOf(best), 0);
});

t.test("bars rise where a figure improves, and noise looks small", async (t) => {
  t.equal(bars([1, 2, 4], "higher"), "▁▃█");
  t.equal(bars([1, 2, 4], "lower"), "█▆▁");
  t.equal(bars([100, 101, 100], "higher"), "▄▅▄");
  t.equal(bars([0, 0], "lower"), "▅▅");
});
