/** A budget of each period of time. */
import t from "tap";
import { Budget } from "../../server/render-cache/budget.ts";

t.test("no more than the amount is used in a period, and all of it in the next", (t) => {
  t.intercept(Date, "now", { get: () => () => now });
  let now = 1000;
  const budget = new Budget(10, 100);
  t.notOk(budget.has(11));
  t.ok(budget.has(10));
  budget.take(7);
  t.ok(budget.has(3));
  t.notOk(budget.has(4));
  now = 1099;
  t.notOk(budget.has(4));
  now = 1100;
  t.ok(budget.has(10), "nothing is left over from before");
  t.notOk(budget.has(11));
  t.end();
});
