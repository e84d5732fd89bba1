import t from "tap";
import { paletteMap } from "../../../shaders/effects/palette-map.ts";
import { coloursOf, palettes, sharesOf } from "../../../shaders/palettes.ts";
import { photograph } from "../../helpers/pictures.ts";
import { backend } from "../backends.ts";
import { channels, colourful, largestDifference } from "../pixels.ts";
import { applyEffect, GREYS, oklabOf } from "./apply-effect.ts";

const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");
const colours = colourful(96, 96);
const packedFrom = (hex: string) => Number.parseInt(hex.slice(1), 16);
const flat = { softness: 0, keep_lightness: 0 };
const mode = "nearest";

/** Distance of two packed colours in OKLab. */
function apart(one: number, other: number): number {
  const [a, b] = [oklabOf(one), oklabOf(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

const SIXTEEN = Array.from(
  { length: 16 },
  (_, n) => `#${((Math.imul(n + 3, 0x9e3779b1) >>> 8) & 0xffffff).toString(16).padStart(6, "0")}`,
);

t.test(
  "nearest: hard and without light and shade, every pixel becomes the nearest colour",
  async (t) => {
    for (const palette of ["delft", "neon", ["#000000", "#ff8800"], SIXTEEN]) {
      const choices = coloursOf(palette).map(packedFrom);
      const out = await applyEffect(runner, paletteMap, { palette, mode, ...flat }, colours);
      out.forEach((packed, index) => {
        const from = colours[index];
        if (!choices.includes(packed)) t.fail(`${channels(packed)} is not in the palette`);
        const best = Math.min(...choices.map((choice) => apart(from, choice)));
        if (apart(from, packed) > best + 1e-4) t.fail(`${channels(from)} has a nearer colour`);
      });
      t.equal(out.length, colours.length);
    }
  },
);

t.test("nearest: keeps the palette's own colours", async (t) => {
  for (const { id, colours } of palettes) {
    const own = Float32Array.from(colours, packedFrom);
    const out = await applyEffect(runner, paletteMap, { palette: id, mode, softness: 0 }, own);
    t.ok(largestDifference(out, own) <= 1, id);
  }
});

t.test(
  "nearest: soft borders have no jump: neighbouring tones become neighbouring colours",
  async (t) => {
    const jump = async (softness: number) => {
      const out = await applyEffect(
        runner,
        paletteMap,
        { palette: "bauhaus", mode, keep_lightness: 0, softness },
        GREYS,
      );
      return Math.max(...out.slice(1).map((packed, i) => apart(packed, out[i])));
    };
    t.ok((await jump(0)) > 0.2);
    t.ok((await jump(0.15)) < 0.05);
  },
);

t.test("nearest: keeps the configured share of the pixel's lightness", async (t) => {
  const off = async (keep_lightness: number) => {
    const params = { palette: "forest", mode, keep_lightness };
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

/** A warm photograph: shades of brown and orange, and a few white lights. */
const WARM = Float32Array.from({ length: 96 * 96 }, (_, n) => {
  const [x, y] = [n % 96, Math.floor(n / 96)];
  const shade = 0.25 + 0.7 * (0.5 + 0.5 * Math.sin(x / 15 + Math.sin(y / 9)));
  if ((x - 20) ** 2 + (y - 30) ** 2 < 40) return 0xfffdf8;
  const bytes = [250 * shade, 90 * shade + 60 * shade * (y / 96), 40 * shade];
  return bytes.reduce((packed, byte) => packed * 256 + Math.round(byte), 0);
});

/** Mean difference of the bytes of two pictures. */
const meanApart = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, packed, n) => {
    const others = channels(other[n]);
    const differences = channels(packed).map((value, k) => Math.abs(value - others[k]));
    return sum + differences.reduce((total, value) => total + value, 0) / 3;
  }, 0) / one.length;

const isWarm = (packed: number) => {
  const [, a, b] = oklabOf(packed);
  return Math.hypot(a, b) > 0.04 && Math.abs(Math.atan2(b, a) - 1) < 0.8;
};

t.test("proportional: a warm picture becomes blue in delft", async (t) => {
  const warmIn = async (mode: string) => {
    const out = await applyEffect(runner, paletteMap, { palette: "delft", mode }, WARM);
    return out.filter(isWarm).length / out.length;
  };
  t.ok(WARM.filter(isWarm).length / WARM.length > 0.9, "is warm");
  const [proportional, nearest] = [await warmIn("proportional"), await warmIn("nearest")];
  t.ok(proportional < 0.3, `${proportional}`);
  t.ok(nearest > 2 * proportional, `${nearest} if each pixel becomes the nearest colour`);
});

t.test("proportional: takes about the shares of the palette, in flat colours", async (t) => {
  for (const palette of ["delft", "neon", "matcha", ["#000000", "#ff8800", "#eeeeee"]]) {
    for (const picture of [WARM, colours]) {
      const inks = coloursOf(palette).map(packedFrom);
      const out = await applyEffect(runner, paletteMap, { palette, ...flat }, picture);
      const taken = inks.map((ink) => out.filter((packed) => packed === ink).length / out.length);
      const sum = taken.reduce((sum, share) => sum + share);
      t.ok(Math.abs(sum - 1) < 1e-9, "no other colours");
      const wanted = sharesOf(palette);
      const off = taken.reduce((sum, share, n) => sum + Math.abs(share - wanted[n]) / 2, 0);
      t.ok(off < 0.35, `${palette}: ${off} of the picture`);
    }
  }
});

t.test("proportional: no two palettes look alike", async (t) => {
  const { pixels } = photograph(96, 96);
  const photo = Float32Array.from({ length: 96 * 96 }, (_, n) =>
    pixels.subarray(3 * n, 3 * n + 3).reduce((packed, byte) => packed * 256 + byte, 0),
  );
  const pictures = [WARM, colours, photo];
  const drawn: Float32Array[][] = [];
  for (const { id } of palettes) {
    const mapped: Float32Array[] = [];
    for (const picture of pictures) {
      mapped.push(await applyEffect(runner, paletteMap, { palette: id }, picture));
    }
    drawn.push(mapped);
  }
  const close = palettes.flatMap(({ id }, n) =>
    palettes.slice(0, n).flatMap((other, m) => {
      const apart = pictures.map((_, k) => meanApart(drawn[n][k], drawn[m][k]));
      const mean = apart.reduce((sum, one) => sum + one, 0) / apart.length;
      return mean < 11.5 ? [`${id} and ${other.id}: ${mean}`] : [];
    }),
  );
  t.same(close, []);
});

t.test("proportional: lightness stays in order for most pairs of pixels", async (t) => {
  for (const { id } of palettes) {
    const out = await applyEffect(runner, paletteMap, { palette: id }, colours);
    let [kept, pairs] = [0, 0];
    for (let n = 0; n < colours.length; n += 7) {
      const other = (n * 31 + 101) % colours.length;
      const before = oklabOf(colours[n])[0] - oklabOf(colours[other])[0];
      if (Math.abs(before) < 0.1) continue;
      pairs++;
      if (before * (oklabOf(out[n])[0] - oklabOf(out[other])[0]) > 0) kept++;
    }
    t.ok(pairs > 300);
    t.ok(kept / pairs > 0.85, `${id}: ${kept / pairs}`);
  }
});

t.test(
  "proportional: a picture of one colour, or of none, has a colour of the palette",
  async (t) => {
    const inks = coloursOf("delft").map(packedFrom);
    const out = await applyEffect(
      runner,
      paletteMap,
      { palette: "delft" },
      new Float32Array(64).fill(0x804020),
    );
    t.ok(out.every((packed) => packed === out[0] && inks.includes(packed)));
  },
);

t.test("an unknown palette's error lists the known ones", async (t) => {
  t.throws(() => coloursOf("paisley"), { name: "RangeError", message: /delft.*"paisley"/ });
  t.strictSame(coloursOf(["#000000", "#ffffff"]), ["#000000", "#ffffff"]);
});
