import t from "tap";
import { splitOperands } from "../../bench/commands/gate.ts";
import type { ComparisonRow } from "../../bench/compare/ab-comparison.ts";
import {
  confirmed,
  type Failure,
  missedTargets,
  slowerRows,
  unjudgedTargets,
} from "../../bench/gate/failures.ts";
import type { BenchCase, Metric } from "../../bench/harness/case.ts";

const ms: Metric = { name: "ms", unit: "ms", better: "lower" };
const rate: Metric = { name: "rate", unit: "tiles/s", better: "higher" };
const memory: Metric = { name: "memory", unit: "MB", better: "lower" };
const tile: Pick<BenchCase, "metrics" | "targets"> = {
  metrics: [ms, rate, memory],
  targets: [{ metric: "rate", must: 80 }],
};

t.test("lists the targets whose peers are missing", async (t) => {
  const targets = [
    { metric: "ms", peer: "OpenCV", must: 4 },
    { metric: "ms", must: 30 },
  ];
  const judged = [{ metric: "ms", must: 30, reached: 20, met: true }];
  const one = { ...tile, name: "tile", targets };
  t.strictSame(unjudgedTargets(one, { targets: judged }), ["tile: ms against OpenCV"]);
  t.strictSame(
    unjudgedTargets({ ...one, targets: [{ metric: "ms", must: 30 }] }, { targets: judged }),
    [],
  );
});

t.test("reports the missed targets of a result", async (t) => {
  const failures = missedTargets({
    name: "tile",
    title: "A tile",
    fairness: "",
    metrics: [ms, rate],
    rounds: 7,
    notes: [],
    versions: {},
    contenders: [],
    targets: [
      { metric: "rate", must: 80, reached: 42, met: false },
      { metric: "ms", peer: "OpenCV", must: 4, reached: 0.5, met: false },
      { metric: "ms", must: 30, reached: 20, met: true },
    ],
  });
  t.strictSame(failures, [
    { case: "tile", subject: "tiles/s", found: "42.0, must be ≥ 80.0" },
    { case: "tile", subject: "ms against OpenCV", found: "0.500×, must be ≥ 4.00×" },
  ]);
});

const row = (metric: Metric, interval: ComparisonRow["interval"]): ComparisonRow => ({
  contender: "ours",
  metric,
  before: [],
  after: [],
  median: interval === null ? 1 : (interval[0] + interval[1]) / 2,
  interval,
  verdict: "no significant difference",
});

t.test("reports rows that are slower beyond doubt and tolerance, of judged metrics", async (t) => {
  const slower = (...rows: ComparisonRow[]) =>
    slowerRows(tile, { name: "tile", title: "A tile", rows }, "abc1234", 0.02).map(
      ({ subject, found }) => `${subject}: ${found}`,
    );
  t.strictSame(slower(row(ms, [0.8, 0.9]), row(rate, [0.7, 0.9])), [
    "ours, ms: 0.850× of abc1234 (95 % interval 0.800…0.900)",
    "ours, tiles/s: 0.800× of abc1234 (95 % interval 0.700…0.900)",
  ]);
  t.strictSame(slower(row(ms, [0.8, 1.01])), [], "it may be as fast");
  t.strictSame(slower(row(ms, [0.97, 0.99])), [], "it is slower by less than the tolerance");
  t.strictSame(slower(row(ms, null)), [], "too few rounds");
  t.strictSame(slower(row(memory, [0.5, 0.6])), [], "it has no target");
});

t.test("a failure counts only if it repeats", async (t) => {
  const failure = (subject: string): Failure => ({ case: "tile", subject, found: "" });
  const looks = (...found: Failure[][]) => {
    let look = 0;
    return { look: async () => found[look++] ?? [], count: () => look };
  };
  const passing = looks([]);
  t.strictSame(await confirmed(passing.look), []);
  t.equal(passing.count(), 1, "what passes is not measured again");
  const disturbed = looks([failure("ms"), failure("rate")], [failure("rate"), failure("other")]);
  t.strictSame(await confirmed(disturbed.look), [failure("rate")]);
});

t.test("the first operand is a commit unless it selects a case", async (t) => {
  t.strictSame(splitOperands([]), { reference: null, filters: [] });
  t.strictSame(splitOperands(["p4m", "8"]), { reference: null, filters: ["p4m", "8"] });
  t.strictSame(splitOperands(["main~1", "8"]), { reference: "main~1", filters: ["8"] });
});
