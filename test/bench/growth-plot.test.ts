import t from "tap";
import { logAxis } from "../../bench/growth/log-axis.ts";
import { growthPlot } from "../../bench/growth/plot.ts";
import { SERIES, sidesUpTo } from "../../bench/growth/series.ts";

const even = (median: number) => ({ median, lowerQuartile: median, upperQuartile: median });

/** A series whose time grows with the area. */
const grown = (name: string, sides: readonly number[], factor = 1) => ({
  name,
  points: sides.map((side) => ({
    side,
    ms: even(factor * (side / 256) ** 2),
    megabytes: even(factor * (side / 256)),
  })),
});

/** The corners of the drawn lines. */
const lines = (svg: string) =>
  [...svg.matchAll(/<path d="M([^"]+)" fill="none"/g)].map(([, path = ""]) =>
    path.split("L").map((point) => point.split(" ").map(Number)),
  );

t.test("maps equal ratios to equal lengths over whole decades", async (t) => {
  const axis = logAxis([3, 420]);
  t.strictSame(axis.decades, [1, 10, 100, 1000]);
  t.equal(axis.at(1), 0);
  t.equal(axis.at(1000), 1);
  t.ok(Math.abs(axis.at(60) - axis.at(6) - 1 / 3) < 1e-12);
  t.strictSame(logAxis([10, 10]).decades, [10, 100], "a single value has an axis too");
  t.throws(() => logAxis([]), RangeError);
  t.throws(() => logAxis([1, 0]), RangeError);
});

t.test("draws growth with the area as a straight line", async (t) => {
  const [time = []] = lines(growthPlot([grown("tile", [256, 512, 1024, 2048])], ""));
  t.equal(time.length, 4);
  const slopes = time.slice(1).map(([x = 0, y = 0], at) => {
    const [left = 0, below = 0] = time[at] ?? [];
    return (below - y) / (x - left);
  });
  for (const slope of slopes) t.ok(Math.abs(slope - (slopes[0] ?? 0)) < 0.01);
  t.ok((slopes[0] ?? 0) > 0, "and rises");
});

t.test("draws the same text for the same points, small and within its borders", async (t) => {
  const series = SERIES.map(({ name, largest }, at) =>
    grown(
      name,
      sidesUpTo(20_000).filter((side) => side <= largest),
      10 ** at,
    ),
  );
  const svg = growthPlot(series, "A < B & C");
  t.equal(svg, growthPlot(structuredClone(series), "A < B & C"));
  t.ok(svg.length < 40_000);
  t.match(svg, "A &lt; B &amp; C");
  t.equal(lines(svg).length, 2 * SERIES.length);
  for (const [x = -1, y = -1] of lines(svg).flat()) {
    t.ok(x >= 0 && x <= 900 && y >= 0 && y <= 440, `${x} ${y}`);
  }
});

t.test("omits series without points", async (t) => {
  t.equal(lines(growthPlot([grown("tile", [256, 512]), grown("sheet", [])], "")).length, 2);
});

t.test("doubles the side up to the maximum, which is always measured", async (t) => {
  t.strictSame(sidesUpTo(2048), [256, 512, 1024, 2048]);
  t.strictSame(sidesUpTo(2000), [256, 512, 1024, 2000]);
  t.strictSame(sidesUpTo(256), [256]);
});
