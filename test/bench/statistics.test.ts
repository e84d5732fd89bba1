import t from "tap";
import { quantile, spreadOf } from "../../bench/harness/statistics.ts";

t.test("the median of an even number of values lies between the middle two", async (t) => {
  t.equal(quantile([4, 1, 3, 2], 0.5), 2.5);
});

t.test("quantiles are interpolated, and the ends are the least and the greatest", async (t) => {
  const values = [50, 10, 30, 20, 40];
  t.equal(quantile(values, 0), 10);
  t.equal(quantile(values, 1), 50);
  t.equal(quantile(values, 0.95), 48);
  t.strictSame(values, [50, 10, 30, 20, 40], "the values keep their order");
});

t.test("an outlier moves the median by at most one rank", async (t) => {
  t.strictSame(spreadOf([10, 11, 12, 13, 1000]), {
    median: 12,
    lowerQuartile: 11,
    upperQuartile: 13,
  });
});

t.test("an empty list has no median", async (t) => {
  t.throws(() => quantile([], 0.5), RangeError);
});
