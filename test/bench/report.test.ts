import t from "tap";
import type { BenchCase } from "../../bench/harness/case.ts";
import type { Growth, Measured, StoredResults } from "../../bench/harness/results-folder.ts";
import type { CaseResult } from "../../bench/harness/run-case.ts";
import { figures, growthTable } from "../../bench/report/figures.ts";
import { fillIn, table } from "../../bench/report/markdown.ts";
import { newestFindings, newestGrowth } from "../../bench/report/newest.ts";
import { shortfalls, targetsTable } from "../../bench/report/targets.ts";

const even = (median: number) => ({ median, lowerQuartile: median, upperQuartile: median });

const tile: BenchCase = {
  name: "tile",
  number: 2,
  title: "A tile",
  scope: "user",
  fairness: "Same source.",
  metrics: [{ name: "ms", unit: "ms", better: "lower" }],
  targets: [
    { metric: "ms", peer: "numpy", must: 5, aim: 10 },
    { metric: "ms", peer: "vips", must: 3 },
    { metric: "ms", must: 20 },
  ],
  prepare: () => Promise.reject(new Error("it is only reported")),
};
const other: BenchCase = {
  ...tile,
  name: "gpu",
  number: 1,
  title: "A GPU",
  targets: [{ metric: "ms", must: 1 }],
};

/** A result of the tile with this time for us, and 48 ms for numpy. */
const resultOf = (ms: number, title = tile.title): CaseResult => ({
  name: tile.name,
  number: 2,
  title,
  fairness: tile.fairness,
  metrics: tile.metrics,
  rounds: 7,
  notes: ["no vips here"],
  versions: { numpy: "1.24.2" },
  contenders: [
    { name: "ours", ours: true, metrics: { ms: even(ms) }, ratios: null, readings: [] },
    {
      name: "numpy",
      ours: false,
      metrics: { ms: { median: 48, lowerQuartile: 40, upperQuartile: 50 } },
      ratios: { ms: 48 / ms },
      readings: [],
    },
  ],
  targets: [
    { metric: "ms", peer: "numpy", must: 5, aim: 10, reached: 48 / ms, met: 48 / ms >= 5 },
    { metric: "ms", must: 20, reached: ms, met: ms <= 20 },
  ],
});

const environment = (commit: string): Measured["environment"] => ({
  date: "2026-11-21T11:32:17.920Z",
  commit,
  os: "linux",
  cpu: "A processor",
  threads: 2,
  load: 0.04,
  memory: 8,
  versions: { node: "24.21.0" },
});

const stored = (
  commit: string,
  results: readonly CaseResult[],
  leftOut: Measured["leftOut"] = [],
): StoredResults => ({
  file: `${commit}.json`,
  content: { environment: environment(commit), results, leftOut },
});

t.test("uses the newest result of each case", async (t) => {
  const kept = [stored("old", [resultOf(30)]), stored("new", [resultOf(4)]), stored("later", [])];
  const [finding] = newestFindings([tile], kept);
  t.equal(finding?.measured?.file, "new.json");
  t.equal(finding?.measured?.result.contenders[0]?.metrics.ms?.median, 4);
});

t.test("ignores results of another task under the same name", async (t) => {
  const [finding] = newestFindings([tile], [stored("old", [resultOf(4, "A smaller tile")])]);
  t.equal(finding?.measured, null);
});

t.test("lists every target with its measurement, or why there is none", async (t) => {
  const leftOut = [{ name: "gpu", number: 1, title: "A GPU", reason: "no adapter" }];
  const findings = newestFindings([tile, other], [stored("abc", [resultOf(4)], leftOut)]);
  t.strictSame(targetsTable(findings).split("\n").slice(2), [
    "| 1 | gpu | user | ms | ≤ 1.00 |  | no adapter |  |",
    "| 2 | tile | user | ms against numpy | ≥ 5.00× | ≥ 10.0× | 12.0× | met |",
    "| 2 | tile | user | ms against vips | ≥ 3.00× |  | the peer is not installed |  |",
    "| 2 | tile | user | ms | ≤ 20.0 |  | 4.00 | met |",
  ]);
  t.match(targetsTable(newestFindings([tile], [])), "not measured yet");
});

t.test("lists missed targets, but no unmeasured ones", async (t) => {
  const slow = newestFindings([tile, other], [stored("abc", [resultOf(24)])]);
  t.strictSame(shortfalls(slow).split("\n"), [
    "- **2, tile**: ms against numpy 2.00×, must be ≥ 5.00×.",
    "- **2, tile**: ms 24.0, must be ≤ 20.0.",
  ]);
  const fast = newestFindings([tile, other], [stored("abc", [resultOf(4)])]);
  t.equal(shortfalls(fast), "Nothing that was measured falls short.");
});

t.test("shows medians with available quartiles and their sources", async (t) => {
  const text = figures(newestFindings([tile, other], [stored("abc", [resultOf(4)])]));
  t.match(text, "### 2. A tile\n\nSame source.");
  t.match(text, "| ours | 4.00 |  |\n| numpy | 48.0 (40.0…50.0) | 12.0× |");
  t.match(
    text,
    "7 rounds; numpy 1.24.2; no vips here. [abc.json](../bench/results/abc.json): A processor",
  );
  t.notMatch(text, "A GPU");
});

t.test("shows the newest growth series in order of side", async (t) => {
  const points = [256, 1024].map((side) => ({ side, ms: even(side), megabytes: even(1) }));
  const growth = [
    { name: "tile", points },
    { name: "sheet", points: points.slice(0, 1) },
  ];
  const content: Growth = { environment: environment("abc"), rounds: 3, growth };
  const newest = newestGrowth([stored("old", []), { file: "abc-growth.json", content }]);
  t.equal(newestGrowth([stored("old", [])]), null);
  if (newest === null) throw new Error("there is one");
  t.match(
    growthTable(newest),
    "| 256² | 256 ms, 1.00 MB | 256 ms, 1.00 MB |\n| 1024² | 1024 ms, 1.00 MB |  |",
  );
});

t.test("replaces the text between the markers only", async (t) => {
  const page = "Before.\n<!-- generated:a -->\nold\n<!-- /generated:a -->\nAfter.\n";
  const filled = fillIn(page, { a: "new" });
  t.equal(filled, "Before.\n<!-- generated:a -->\nnew\n<!-- /generated:a -->\nAfter.\n");
  t.equal(fillIn(filled, { a: "new" }), filled, "and again the same");
  t.throws(() => fillIn(page, { b: "new" }), { message: /lacks <!-- generated:b -->/ });
});

t.test("escapes bars in table cells", async (t) => {
  t.equal(table(["a", "b"], [["x|y", "1"]]), "| a | b |\n| --- | --: |\n| x\\|y | 1 |");
});
