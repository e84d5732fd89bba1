import t from "tap";
import { formatCase, formatLeftOut } from "../../bench/harness/format-table.ts";
import type { CaseResult } from "../../bench/harness/run-case.ts";

const even = (median: number) => ({ median, lowerQuartile: median - 1, upperQuartile: median + 1 });

const result: CaseResult = {
  name: "tile",
  number: 1,
  title: "A tile",
  fairness: "same source",
  metrics: [
    { name: "ms", unit: "ms", better: "lower" },
    { name: "mpx", unit: "Mpx/s", better: "higher" },
  ],
  rounds: 7,
  notes: ["one peer is not installed"],
  versions: {},
  contenders: [
    {
      name: "ours",
      ours: true,
      metrics: { ms: even(20.06), mpx: even(52.27) },
      ratios: null,
      readings: [],
    },
    {
      name: "a slow peer",
      ours: false,
      metrics: { ms: even(1589), mpx: even(0.6599) },
      ratios: { ms: 79.2, mpx: 79.2 },
      readings: [],
    },
  ],
  targets: [
    { metric: "ms", peer: "a slow peer", must: 40, aim: 80, reached: 79.2, met: true },
    { metric: "mpx", must: 60, reached: 52.27, met: false },
  ],
};

t.test("prints peers in columns, then targets and notes", async (t) => {
  t.strictSame(formatCase(result).split("\n"), [
    "1. A tile",
    "                 ms  quartiles  Mpx/s  we are better by",
    "  ours         20.1  19.1…21.1   52.3",
    "  a slow peer  1589  1588…1590  0.660             79.2×",
    "  ms against a slow peer ≥ 40.0×, aim ≥ 80.0×: 79.2×, met",
    "  Mpx/s ≥ 60.0: 52.3, MISSED",
    "  note: one peer is not installed",
  ]);
});

t.test("omits ratios without a peer", async (t) => {
  const alone = { ...result, contenders: result.contenders.slice(0, 1), targets: [] };
  t.notMatch(formatCase(alone), /better by/);
});

t.test("explains a long case and its number of rounds", async (t) => {
  const [, second] = formatCase({ ...result, rounds: 1, long: "it takes minutes" }).split("\n");
  t.equal(second, "  only when named, 1 round: it takes minutes");
});

t.test("explains why a case was skipped", async (t) => {
  const leftOut = { name: "gpu", number: 9, title: "A GPU", reason: "no adapter" };
  t.equal(formatLeftOut(leftOut), "9. A GPU\n  left out: no adapter");
});
