import t from "tap";
import { comparePaired } from "../../bench/compare/paired.ts";
import { hash } from "../helpers/pictures.ts";

t.test("half the time and twice the throughput both count as twice as good", async (t) => {
  const slow = [10, 11, 12, 13, 14, 15, 16];
  const fast = slow.map((ms) => ms / 2);
  for (const compared of [
    comparePaired(slow, fast, "lower"),
    comparePaired(fast, slow, "higher"),
  ]) {
    t.equal(compared.median, 2);
    t.strictSame(compared.interval, [2, 2]);
    t.equal(compared.verdict, "better");
  }
  t.equal(comparePaired(fast, slow, "lower").verdict, "worse");
});

t.test("rounds that are slow for both sides have no effect", async (t) => {
  const before = [10, 10, 100, 10, 1000, 10, 10, 10];
  const after = before.map((ms, round) => ms * (0.9 + 0.001 * round));
  t.equal(comparePaired(before, after, "lower").verdict, "better");
});

t.test("one outlier changes no verdict", async (t) => {
  const before = [10, 10, 10, 10, 10, 10, 10, 10, 10, 10];
  const after = [9, 9, 9, 900, 9, 9, 9, 9, 9, 9];
  t.equal(comparePaired(before, after, "lower").verdict, "better");
});

t.test("equal sides differ by chance in less than one of 20 comparisons", async (t) => {
  const told = Array.from({ length: 1000 }, (_, trial) => {
    const noisy = (side: number) =>
      Array.from({ length: 10 }, (_, k) => 1 + hash(k, 2 * trial + side));
    return comparePaired(noisy(0), noisy(1), "lower").verdict;
  }).filter((verdict) => verdict !== "no significant difference");
  t.ok(told.length > 0 && told.length < 50, `${told.length} of 1000`);
});

t.test("identical rounds show no difference", async (t) => {
  const { verdict } = comparePaired([5, 5, 5, 5, 5, 5], [5, 5, 5, 5, 5, 5], "lower");
  t.equal(verdict, "no significant difference");
});

t.test("five rounds are too few for 95 % certainty, six are enough", async (t) => {
  const slow = [2, 2, 2, 2, 2, 2];
  const fast = [1, 1, 1, 1, 1, 1];
  t.strictSame(comparePaired(slow.slice(1), fast.slice(1), "lower"), {
    median: 2,
    interval: null,
    verdict: "too few rounds",
  });
  t.equal(comparePaired(slow, fast, "lower").verdict, "better");
});

t.test("the interval has the tabulated ranks: 1 and 6, 2 and 9, 6 and 15", async (t) => {
  const ranks = (count: number) => {
    const values = Array.from({ length: count }, (_, k) => k + 1);
    return comparePaired(
      values,
      values.map(() => 1),
      "lower",
    ).interval;
  };
  t.strictSame(ranks(6), [1, 6]);
  t.strictSame(ranks(10), [2, 9]);
  t.strictSame(ranks(20), [6, 15]);
});

t.test("rejects unpaired samples", async (t) => {
  t.throws(() => comparePaired([1, 2], [1], "lower"), RangeError);
  t.throws(() => comparePaired([], [], "lower"), RangeError);
});
