import t from "tap";
import { cielabOf } from "../../../shaders/lib/cielab.ts";
import { linearFromHex } from "../../../shaders/lib/colour.ts";

t.test("agrees with published values of sRGB under D50", async (t) => {
  // B. Lindbloom's calculator, adaptation by Bradford's method.
  for (const [hex, ...expected] of [
    ["#ffffff", 100, 0, 0],
    ["#000000", 0, 0, 0],
    ["#ff0000", 54.2905, 80.8049, 69.891],
    ["#00ff00", 87.8185, -79.2711, 80.9946],
    ["#0000ff", 29.5683, 68.2874, -112.0297],
  ] as const) {
    const { l, a, b } = cielabOf(linearFromHex(hex));
    [l, a, b].forEach((value, n) => {
      t.ok(Math.abs(value - expected[n]) < 0.02, `${hex}: ${value} is ${expected[n]}`);
    });
  }
});
