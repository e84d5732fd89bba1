import t from "tap";
import {
  type BenchCase,
  type Contender,
  type Target,
  WrongResult,
} from "../../bench/harness/case.ts";
import { runCase } from "../../bench/harness/run-case.ts";

const silent = () => undefined;

/** A contender that returns its readings in turn and logs its name at each run. */
function scripted(name: string, ours: boolean, readings: readonly number[], diary: string[]) {
  let run = 0;
  return {
    name,
    ours,
    async run() {
      diary.push(name);
      return { ms: readings[run++] };
    },
  };
}

function caseOf(
  contenders: readonly Contender[],
  {
    targets = [],
    diary = [],
    right = true,
    better = "lower",
  }: {
    targets?: readonly Target[];
    diary?: string[];
    right?: boolean;
    better?: "lower" | "higher";
  } = {},
): BenchCase {
  return {
    name: "made-up",
    title: "A made-up case",
    scope: "user",
    fairness: "none",
    metrics: [{ name: "ms", unit: "ms", better }],
    targets,
    prepare: async () => ({
      contenders,
      notes: [],
      versions: {},
      async check() {
        diary.push("check");
        if (!right) throw new WrongResult("the peer drew something else");
      },
      async close() {
        diary.push("close");
      },
    }),
  };
}

t.test("checks first, warms up, then alternates the order, and closes", async (t) => {
  const diary: string[] = [];
  const a = scripted("a", true, [1, 1, 1, 1], diary);
  const b = scripted("b", false, [1, 1, 1, 1], diary);
  await runCase(caseOf([a, b], { diary }), 3, silent);
  t.equal(diary.join(" "), "check a b b a a b b a close");
});

t.test("measures nothing after a failed check, and still closes", async (t) => {
  const diary: string[] = [];
  const a = scripted("a", true, [1], diary);
  await t.rejects(runCase(caseOf([a], { diary, right: false }), 1, silent), {
    name: "WrongResult",
  });
  t.equal(diary.join(" "), "check close");
});

t.test("leaves the warm-up out of the results", async (t) => {
  const { contenders } = await runCase(
    caseOf([scripted("a", true, [900, 1, 2, 3], [])]),
    3,
    silent,
  );
  t.strictSame(contenders[0].readings, [{ ms: 1 }, { ms: 2 }, { ms: 3 }]);
  t.equal(contenders[0].metrics.ms.median, 2);
});

t.test("compares within rounds, so that a slow round has no effect", async (t) => {
  // The second round is ten times slower for both.
  const ours = scripted("ours", true, [0, 10, 100, 12], []);
  const peer = scripted("peer", false, [0, 40, 400, 36], []);
  const { contenders } = await runCase(caseOf([ours, peer]), 3, silent);
  t.equal(contenders[0].ratios, null);
  t.strictSame(contenders[1].ratios, { ms: 4 });
});

t.test("inverts ratios if more is better", async (t) => {
  const ours = scripted("ours", true, [0, 30], []);
  const peer = scripted("peer", false, [0, 10], []);
  const { contenders } = await runCase(caseOf([ours, peer], { better: "higher" }), 1, silent);
  t.strictSame(contenders[1].ratios, { ms: 3 });
});

t.test("evaluates targets, except those of absent peers", async (t) => {
  const targets = [
    { metric: "ms", peer: "peer", must: 3 },
    { metric: "ms", peer: "peer", must: 5 },
    { metric: "ms", peer: "not installed", must: 1 },
    { metric: "ms", must: 15 },
  ];
  const fast = scripted("fast", true, [0, 10], []);
  const slow = scripted("slow", true, [0, 20], []);
  const peer = scripted("peer", false, [0, 40], []);
  const result = await runCase(caseOf([fast, slow, peer], { targets }), 1, silent);
  t.strictSame(
    result.targets.map(({ reached, met }) => [reached, met]),
    [
      [4, true],
      [4, false],
      [20, false],
    ],
  );
});

t.test("a long case runs in fewer rounds, warmed up by its check", async (t) => {
  const diary: string[] = [];
  const long = { why: "it takes minutes", rounds: 2 };
  const a = scripted("a", true, [1, 2, 3], diary);
  const result = await runCase({ ...caseOf([a], { diary }), long }, 7, silent);
  t.equal(diary.join(" "), "check a a close");
  t.match(result, { rounds: 2, long: "it takes minutes" });
  t.equal((await runCase({ ...caseOf([a]), long }, 1, silent)).rounds, 1);
});
