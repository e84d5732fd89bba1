import t from "tap";
import { cases } from "../../bench/cases/index.ts";
import { chooseCases } from "../../bench/harness/choose-cases.ts";

const names = (...filters: string[]) => chooseCases(cases, filters).map(({ name }) => name);

t.test("runs all cases where none is named", async (t) => {
  t.equal(names().length, cases.length);
});

t.test("finds cases by number and by a part of the name", async (t) => {
  t.strictSame(names("1"), ["p4m"]);
  t.strictSame(names("8", "pn"), ["png", "http"]);
});

t.test("lists the cases where none fits", async (t) => {
  t.throws(() => names("jpeg"), { message: /no case "jpeg"; there are: 1 \(p4m\), .*png/ });
});
