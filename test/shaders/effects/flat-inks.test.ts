import t from "tap";
import { flatInks, inksFor } from "../../../shaders/effects/flat-inks.ts";
import { photograph } from "../../helpers/pictures.ts";
import { backend, backends } from "../backends.ts";
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

/** Inks of these colours, with names. */
const named = (...colours: readonly string[]) =>
  colours.map((colour, n) => ({ name: `No. ${n + 1}`, colour }));

const hexOf = (packed: number) => `#${packed.toString(16).padStart(6, "0")}`;
const packedOf = (hex: string) => Number.parseInt(hex.slice(1), 16);

t.test("inks of one's own are the only colours, to the bit, on every backend", async (t) => {
  const { reference, others } = await backends(t);
  // Corners of the gamut and a spread of colours between them.
  const colours = ["#000000", "#ffffff", "#ff0000", "#00ff00", "#0000ff", "#000001", "#fffffe"];
  for (let n = 0; n < 89; n++) colours.push(hexOf((n * 0x2f1b35 + 0x123456) % 2 ** 24));
  for (let at = 0; at + 16 <= colours.length; at += 16) {
    const inks = named(...colours.slice(at, at + 16));
    const own = Float32Array.from(inks, ({ colour }) => packedOf(colour));
    for (const runner of [reference, ...others]) {
      t.same([...(await applyEffect(runner, flatInks, { inks }, own))], [...own], runner.backend);
      for (const picture of [photo, colourful(64, 64)]) {
        const out = await applyEffect(runner, flatInks, { inks }, picture);
        t.ok(
          out.every((packed) => own.includes(packed)),
          runner.backend,
        );
      }
    }
  }
});

t.test("naming the colours that it finds does not change a picture", async (t) => {
  for (const [name, picture] of Object.entries({ photo, colourful: colourful(96, 96) })) {
    for (const count of [2, 5, 9, 16]) {
      const found = await applyEffect(runner, flatInks, { count }, picture);
      const inks = named(...[...new Set(found)].map(hexOf).toReversed());
      // What they are counted as has no influence.
      const again = await applyEffect(runner, flatInks, { count: 3, inks }, picture);
      t.same(again, found, `${name}: ${count}`);
      if (count < 5) continue;
      const fewer = await applyEffect(runner, flatInks, { inks: inks.slice(1) }, picture);
      const isKept = found.every(
        (packed, at) => packed === packedOf(inks[0].colour) || fewer[at] === packed,
      );
      t.ok(isKept, `${name}: ${count} without one of them, the others are where they were`);
    }
  }
});

t.test("a small area keeps its colour if an ink has it", async (t) => {
  const green = 0x4f9a3a;
  const picture = photo.map((packed, at) => (at % 400 === 7 ? green : packed));
  const found = [...new Set(await applyEffect(runner, flatInks, { count: 8 }, photo))];
  const isGreen = (packed: number) => packed === green;
  const before = await applyEffect(runner, flatInks, { count: 8 }, picture);
  t.notOk(before.some(isGreen), "main colours follow area");
  const inks = named(...found.map(hexOf), hexOf(green));
  const out = await applyEffect(runner, flatInks, { inks }, picture);
  picture.forEach((packed, at) => {
    if (packed === green && out[at] !== green) t.fail(`pixel ${at}`);
  });
  t.equal(out.filter(isGreen).length, picture.filter(isGreen).length, "and nothing else has it");
});

t.test("a picture stays readable in inks that are far from its colours", async (t) => {
  const brown = photo.map((packed) => 0x5a4030 + (((packed >> 8) & 255) >> 2) * 0x010101);
  const inks = named("#f4eddd", "#7f93c4", "#1d2a5d");
  const out = await applyEffect(runner, flatInks, { inks }, brown);
  // Nearest colours would be one of them nearly everywhere.
  for (const { colour } of inks) {
    const share = out.filter((packed) => packed === packedOf(colour)).length / out.length;
    t.ok(share > 0.1, `${colour}: ${share}`);
  }
  const lightness = (packed: number) => oklabOf(packed)[0];
  const order = [...brown.keys()].sort((m, n) => brown[m] - brown[n]);
  const rising = order.map((at) => lightness(out[at]));
  t.same(
    rising,
    rising.toSorted((one, other) => one - other),
    "darker stays darker",
  );
});

t.test("white areas become the lighter of two saturated inks", async (t) => {
  const [red, indigo] = [0xc8102e, 0x1d2a5d];
  const inks = named(hexOf(red), hexOf(indigo));
  // An orange motif with shade and black in it on white and on greyish white, as a portrait in a studio.
  const [white, grey, orange, brown, black] = [0xf8f6f2, 0xd8d4d0, 0xd8562a, 0x8a2f1c, 0x18161c];
  const areas = [white, white, grey, grey, orange, orange, brown, black, black, black];
  const picture = Float32Array.from({ length: 6000 }, (_, at) => areas[at % areas.length]);
  const out = await applyEffect(runner, flatInks, { inks }, picture);
  const inkOf = (colour: number) => out[picture.indexOf(colour)];
  t.same([white, grey, orange].map(inkOf), [red, red, red]);
  t.same([brown, black].map(inkOf), [indigo, indigo]);
});
