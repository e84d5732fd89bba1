import t from "tap";
import { compareSides } from "../../bench/compare/ab-comparison.ts";
import { formatComparison } from "../../bench/compare/format-comparison.ts";
import type { Side } from "../../bench/compare/open-side.ts";
import type { Request, Results } from "../../bench/compare/side.ts";

const facts = {
  name: "tile",
  title: "A tile",
  metrics: [{ name: "ms", unit: "ms", better: "lower" }],
} as const;
const silent = () => undefined;

/** A side with constant times that logs its requests. */
function scripted(name: string, ms: Readonly<Record<string, number>>, diary: string[]): Side {
  const handle = (request: Request): Results[Request["kind"]] => {
    diary.push(`${name} ${request.kind}`);
    if (request.kind === "prepare") return Object.keys(ms);
    return request.kind === "run" ? { ms: ms[request.contender] ?? Number.NaN } : null;
  };
  return {
    request: async <R extends Request>(request: R) => handle(request) as Results[R["kind"]],
    end: silent,
  };
}

t.test("alternates which side runs first, and closes both", async (t) => {
  const diary: string[] = [];
  const sides = {
    before: scripted("old", { p1: 4 }, diary),
    after: scripted("new", { p1: 2 }, diary),
  };
  await compareSides(sides, facts, 2, silent);
  t.strictSame(diary, [
    ...["old prepare", "new prepare"],
    ...["old run", "new run", "new run", "old run", "old run", "new run"],
    ...["old close", "new close"],
  ]);
});

t.test("excludes the warm-up round and peers that one side lacks", async (t) => {
  const before = scripted("old", { p1: 4, gone: 1 }, []);
  const after = scripted("new", { p1: 2, added: 1 }, []);
  const rows = await compareSides({ before, after }, facts, 6, silent);
  t.equal(rows.length, 1);
  t.match(rows[0], { contender: "p1", median: 2, verdict: "better" });
  t.equal(rows[0]?.before.length, 6);
});

t.test("closes both sides if one cannot run the case", async (t) => {
  const diary: string[] = [];
  const before = scripted("old", { p1: 4 }, diary);
  const broken: Side = {
    ...scripted("new", {}, diary),
    async request(request) {
      if (request.kind === "prepare") throw new Error("no such kernel");
      return scripted("new", {}, diary).request(request);
    },
  };
  await t.rejects(compareSides({ before, after: broken }, facts, 2, silent), {
    message: "no such kernel",
  });
  t.strictSame(diary, ["old prepare", "old close", "new close"]);
});

t.test("summarises the change in one line", async (t) => {
  const before = scripted("old", { p1: 30 }, []);
  const after = scripted("new", { p1: 20 }, []);
  const rows = await compareSides({ before, after }, facts, 6, silent);
  t.strictSame(formatComparison({ name: "tile", title: "A tile", rows }, "abc1234").split("\n"), [
    "A tile",
    "          abc1234  here  ratio  95 % interval  verdict",
    "  p1  ms     30.0  20.0  1.50×      1.50…1.50   better",
  ]);
});
