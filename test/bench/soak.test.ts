import t from "tap";
import { describeSlope, soakPlot } from "../../bench/soak/plot.ts";
import { type Soak, slopeOf } from "../../bench/soak/soak.ts";
import { hash } from "../helpers/pictures.ts";

const minutes = Array.from({ length: 180 }, (_, at) => at / 6);
const noise = (at: number) => 4 * (hash(at, 1) - 0.5);

t.test(
  "a slope is that of the last two thirds, and its confidence covers the true one",
  async (t) => {
    const filling = minutes.map((minute, at) => (minute < 10 ? 20 * minute : 200) + noise(at));
    const flat = slopeOf(minutes, filling);
    t.ok(Math.abs(flat.perHour) < flat.plusMinus, JSON.stringify(flat));
    t.ok(flat.plusMinus < 10);
    const leaking = filling.map((value, at) => value + minutes[at]);
    const leak = slopeOf(minutes, leaking);
    t.ok(Math.abs(leak.perHour - 60) < leak.plusMinus, JSON.stringify(leak));
    t.ok(leak.perHour > leak.plusMinus, "a leak exceeds the noise");
    t.throws(() => slopeOf(minutes.slice(0, 12), filling.slice(0, 12)), RangeError);
  },
);

t.test("describes slopes with the digits that they have", async (t) => {
  t.equal(describeSlope({ perHour: 3.24, plusMinus: 4.2 }, "MB"), "+3.2 ± 4.2 MB an hour");
  t.equal(describeSlope({ perHour: -314.2, plusMinus: 420 }, ""), "−314 ± 420 an hour");
  t.equal(describeSlope({ perHour: 0, plusMinus: 0 }, "MB"), "+0.00 ± 0.00 MB an hour");
});

t.test(
  "draws a panel for each series, within its borders, and a tick for each fault",
  async (t) => {
    const run: Soak = {
      environment: {} as Soak["environment"],
      nodes: 1,
      faults: { "node killed": [1, 2], "disk full": [29] },
      requests: 1,
      outcomes: {},
      minutes,
      soak: ["one", "two & three", "four", "five", "six"].map((name, at) => ({
        name,
        unit: "MB",
        values: minutes.map((minute) => 10 ** at * (1 + minute)),
      })),
    };
    const svg = soakPlot(run, "A < B");
    t.equal(svg, soakPlot(structuredClone(run), "A < B"));
    t.match(svg, "two &amp; three");
    t.match(svg, "A &lt; B");
    const lines = [...svg.matchAll(/<path d="M([^"]+)" fill="none"/g)].map(([, path = ""]) =>
      path.split("L").map((point) => point.split(" ").map(Number)),
    );
    t.equal(lines.length, run.soak.length);
    for (const [x = -1, y = -1] of lines.flat()) {
      t.ok(x >= 0 && x <= 900 && y >= 0 && y <= 374, `${x} ${y}`);
    }
    t.equal([...svg.matchAll(/v5[M"]/g)].length, 3 * run.soak.length);
  },
);
