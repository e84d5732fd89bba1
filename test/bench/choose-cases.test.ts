import t from "tap";
import { cases } from "../../bench/cases/index.ts";
import { chooseCases } from "../../bench/harness/choose-cases.ts";

const names = (...filters: string[]) => chooseCases(cases, filters).map(({ name }) => name);

t.test("runs all cases except long ones by default", async (t) => {
  t.strictSame(
    names(),
    cases.filter(({ long }) => long === undefined).map(({ name }) => name),
  );
  t.notOk(names().includes("overload"));
  t.equal(chooseCases(cases, [], true).length, cases.length);
});

t.test("finds cases by number and by part of the name", async (t) => {
  t.strictSame(names("1"), ["p4m"]);
  t.strictSame(names("16"), ["sheet"], "a number is no part of a name");
  t.strictSame(names("8", "pn"), ["tiles", "png"]);
  t.strictSame(names("p4m"), ["p4m"], "a whole name is no part of another one");
  t.strictSame(names("4m"), ["new-p4m", "p4m"]);
});

t.test("runs a long case only by its number or full name", async (t) => {
  t.strictSame(names("15"), ["large"]);
  t.strictSame(names("large"), ["large"]);
  t.throws(() => names("larg"), { message: /no case "larg"/ });
});

t.test("lists the cases if none matches", async (t) => {
  t.throws(() => names("jpeg"), { message: /no case "jpeg"; there are: 21 \(new-p4m\), .*png/ });
});

t.test("every target has a case and a metric", async (t) => {
  t.strictSame(
    cases.flatMap(({ number }) => number ?? []).toSorted((a, b) => a - b),
    [1, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 21, 22, 23, 24],
  );
  for (const { name, number, metrics, targets } of cases) {
    t.ok(targets.length > 0 || number === undefined, name);
    for (const { metric } of targets)
      t.ok(
        metrics.some((one) => one.name === metric),
        metric,
      );
  }
});
