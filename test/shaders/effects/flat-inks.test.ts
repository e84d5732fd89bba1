import t from "tap";
import { flatInks, inksFor } from "../../../shaders/effects/flat-inks.ts";
import { photograph } from "../../helpers/pictures.ts";
import { backend } from "../backends.ts";
import { colourful, largestDifference } from "../pixels.ts";
import { applyEffect, oklabOf } from "./apply-effect.ts";

const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");

const { width, height, pixels } = photograph(120, 90);
const photo = Float32Array.from({ length: width * height }, (_, at) => {
  const [red, green, blue] = pixels.subarray(3 * at);
  return (red << 16) | (green << 8) | blue;
});

/** Returns the mean squared distance of two pictures in OKLab. */
function errorOf(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  one.forEach((packed, at) => {
    const [a, b] = [oklabOf(packed), oklabOf(other[at])];
    sum += (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
  });
  return sum / one.length;
}

t.test("leaves no more colours than inks, and more inks are nearer to the picture", async (t) => {
  for (const [name, picture] of Object.entries({ photo, colourful: colourful(96, 96) })) {
    const errors: number[] = [];
    for (const count of [2, 3, 6, 10, 16]) {
      const out = await applyEffect(runner, flatInks, { count }, picture);
      const used = new Set(out).size;
      t.ok(used <= count && used > count / 2, `${name}: ${used} of ${count}`);
      errors.push(errorOf(out, picture));
    }
    t.same(
      errors,
      errors.toSorted((one, other) => other - one),
      name,
    );
    t.ok(errors[4] < errors[0] / 4, `${name}: ${errors}`);
  }
});

t.test("a picture of few colours keeps them", async (t) => {
  const colours = [0x20242c, 0xb03a2e, 0xf0e6d2, 0x1f7a8c, 0xe0b040];
  const few = Float32Array.from({ length: 1000 }, (_, at) => colours[at % colours.length]);
  for (const count of [5, 6, 16]) {
    const out = await applyEffect(runner, flatInks, { count }, few);
    t.ok(largestDifference(out, few) <= 1, `${count} inks`);
  }
});

t.test("inks unite the colours that differ least for their shares", async (t) => {
  const grey = (lightness: number, share: number) => ({
    colour: [lightness, 0, 0] as const,
    share,
  });
  // The rare colour in the middle joins its nearer neighbour; the mean leans to the larger share.
  const inks = inksFor([grey(0.1, 0.5), grey(0.5, 0.1), grey(0.8, 0.4)], 2);
  t.same(inks[1], inks[2]);
  t.ok(Math.abs(inks[1][0] - (0.5 * 0.1 + 0.8 * 0.4) / 0.5) < 1e-12);
  t.same(inks[0], [0.1, 0, 0]);
});
