import t from "tap";
import { paletteMap } from "../../../shaders/effects/palette-map.ts";
import { coloursOf, palettes } from "../../../shaders/palettes.ts";
import { backend } from "../backends.ts";
import { channels, colourful, largestDifference } from "../pixels.ts";
import { applyEffect, GREYS, oklabOf } from "./apply-effect.ts";

const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");
const colours = colourful(96, 96);
const packedFrom = (hex: string) => Number.parseInt(hex.slice(1), 16);
const hard = { softness: 0, keep_lightness: 0 };

/** Distance of two packed colours in OKLab. */
function apart(one: number, other: number): number {
  const [a, b] = [oklabOf(one), oklabOf(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

const SIXTEEN = Array.from(
  { length: 16 },
  (_, n) => `#${((Math.imul(n + 3, 0x9e3779b1) >>> 8) & 0xffffff).toString(16).padStart(6, "0")}`,
);

t.test("hard and without light and shade, every pixel becomes the nearest colour", async (t) => {
  for (const palette of ["delft", "neon", ["#000000", "#ff8800"], SIXTEEN]) {
    const choices = coloursOf(palette).map(packedFrom);
    const out = await applyEffect(runner, paletteMap, { palette, ...hard }, colours);
    out.forEach((packed, index) => {
      const from = colours[index];
      if (!choices.includes(packed)) t.fail(`${channels(packed)} is not in the palette`);
      const best = Math.min(...choices.map((choice) => apart(from, choice)));
      if (apart(from, packed) > best + 1e-4) t.fail(`${channels(from)} has a nearer colour`);
    });
    t.equal(out.length, colours.length);
  }
});

t.test("keeps the palette's own colours", async (t) => {
  for (const { id, colours } of palettes) {
    const own = Float32Array.from(colours, packedFrom);
    const out = await applyEffect(runner, paletteMap, { palette: id, softness: 0 }, own);
    t.ok(largestDifference(out, own) <= 1, id);
  }
});

t.test("soft borders have no jump: neighbouring tones become neighbouring colours", async (t) => {
  const jump = async (softness: number) => {
    const out = await applyEffect(
      runner,
      paletteMap,
      { palette: "bauhaus", keep_lightness: 0, softness },
      GREYS,
    );
    return Math.max(...out.slice(1).map((packed, i) => apart(packed, out[i])));
  };
  t.ok((await jump(0)) > 0.2);
  t.ok((await jump(0.15)) < 0.05);
});

t.test("keeps the configured share of the pixel's lightness", async (t) => {
  const off = async (keep_lightness: number) => {
    const params = { palette: "forest", keep_lightness };
    const out = await applyEffect(runner, paletteMap, params, colours);
    const differences = out.map((one, i) => Math.abs(oklabOf(one)[0] - oklabOf(colours[i])[0]));
    return differences.reduce((sum, one) => sum + one) / differences.length;
  };
  const [none, half, all] = [await off(0), await off(0.5), await off(1)];
  t.ok(all < 0.01, `${all}`);
  t.ok(Math.abs(half - none / 2) < 0.01, `${half} of ${none}`);
});

t.test(
  "gradient: darker pixels never become lighter ones, from end to end of the palette",
  async (t) => {
    for (const { id, colours } of palettes) {
      const params = { palette: id, mode: "gradient", keep_lightness: 0 };
      const out = await applyEffect(runner, paletteMap, params, GREYS);
      const lightness = [...out].map((packed) => oklabOf(packed)[0]);
      // A byte's rounding moves the lightness by up to this much.
      t.ok(
        lightness.every((value, index) => index === 0 || value > lightness[index - 1] - 0.003),
        id,
      );
      const sorted = colours.map(packedFrom).sort((a, b) => oklabOf(a)[0] - oklabOf(b)[0]);
      t.equal(out[0], sorted[0], `${id}: black is the darkest`);
      t.equal(out[255], sorted.at(-1), `${id}: white is the lightest`);
    }
  },
);

t.test("gradient: two colours of one lightness still make a gradient", async (t) => {
  const params = { palette: ["#777777", "#777777"], mode: "gradient", keep_lightness: 0 };
  const out = await applyEffect(runner, paletteMap, params, GREYS);
  t.ok(out.every((packed) => packed === 0x777777));
});

t.test("an unknown palette's error lists the known ones", async (t) => {
  t.throws(() => coloursOf("paisley"), { name: "RangeError", message: /delft.*"paisley"/ });
  t.strictSame(coloursOf(["#000000", "#ffffff"]), ["#000000", "#ffffff"]);
});
