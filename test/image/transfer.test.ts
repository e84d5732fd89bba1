import t from "tap";
import { packLight } from "../../engine/image/packed.ts";
import { SRGB_TABLE_SIZE, SRGB8_TO_LINEAR, srgbBySquareRoot } from "../../engine/image/transfer.ts";

const ENCODERS = {
  /** The computation of a kernel, in 32-bit floats as on a GPU. */
  kernel(light: number): number {
    const root = Math.fround(Math.sqrt(Math.fround(light)));
    return srgbBySquareRoot[Math.floor(Math.fround(root * (SRGB_TABLE_SIZE - 1)) + 0.5)];
  },
  javascript: (light: number) => packLight(0, 0, light),
};

for (const [name, encode] of Object.entries(ENCODERS)) {
  t.test(`every 8-bit value survives a round trip: ${name}`, async (t) => {
    for (let level = 0; level < 256; level += 1) {
      t.equal(encode(SRGB8_TO_LINEAR[level]), level);
    }
  });

  t.test(`stays within 0.55 levels of the curve over the whole range: ${name}`, async (t) => {
    let worst = 0;
    for (let step = 0; step <= 200_000; step += 1) {
      const light = (step / 200_000) ** 3;
      const exact = 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055);
      worst = Math.max(worst, Math.abs(encode(light) - exact));
    }
    t.ok(worst < 0.55, `worst error ${worst} levels`);
    t.ok(worst >= 0.5, "rounding to whole levels costs half a level somewhere");
  });
}

t.test("agrees with known points of the standard", async (t) => {
  t.equal(SRGB8_TO_LINEAR[0], 0);
  t.equal(SRGB8_TO_LINEAR[255], 1);
  t.ok(Math.abs(SRGB8_TO_LINEAR[188] - 0.5029) < 1e-4);
  t.ok(Math.abs(SRGB8_TO_LINEAR[10] - 10 / 255 / 12.92) < 1e-8);
  t.equal(ENCODERS.kernel(0.5), 188);
});
