import t from "tap";
import { principalColours } from "../../engine/image/principal-colours.ts";
import { linearFromHex, oklabFromLinear } from "../../shaders/lib/colour.ts";
import { hash } from "../helpers/pictures.ts";
import { seed } from "../helpers/random-subset.ts";

const pixels = (colours: readonly number[], count = 1000) =>
  Float32Array.from({ length: count }, (_, n) => colours[n % colours.length]);

t.test("flat colours come back as they are, with their shares, the darkest first", async (t) => {
  const found = principalColours(
    { colour: pixels([0x204060, 0xffcc00, 0x204060, 0xf0f0f0]), alpha: null },
    16,
  );
  t.equal(found.length, 3);
  t.match(
    found.map(({ share }) => share),
    [0.5, 0.25, 0.25],
  );
  const expected = ["#204060", "#ffcc00", "#f0f0f0"].map((hex) =>
    oklabFromLinear(linearFromHex(hex)),
  );
  found.forEach(({ colour }, n) => {
    const off = colour.map((value, part) => Math.abs(value - expected[n][part]));
    t.ok(Math.max(...off) < 1e-6);
  });
});

t.test("counts pixels by their alpha, and finds nothing where nothing is visible", async (t) => {
  const colour = pixels([0xff0000, 0x0000ff]);
  const alpha = Float32Array.from(colour, (packed) => (packed === 0xff0000 ? 255 : 85));
  const [blue, red] = principalColours({ colour, alpha }, 16);
  t.ok(Math.abs(red.share - 0.75) < 1e-9);
  t.ok(Math.abs(blue.share - 0.25) < 1e-9);
  t.same(principalColours({ colour, alpha: new Float32Array(colour.length) }, 16), []);
});

t.test("more colours describe a picture better, and their order means nothing", async (t) => {
  const colour = Float32Array.from({ length: 2000 }, (_, n) => Math.floor(hash(seed, n) * 2 ** 24));
  const errorOf = (count: number) => {
    const found = principalColours({ colour, alpha: null }, count);
    t.equal(found.length, count);
    t.ok(Math.abs(found.reduce((sum, { share }) => sum + share, 0) - 1) < 1e-9);
    const errors = Array.from(colour, (packed) => {
      const hex = `#${packed.toString(16).padStart(6, "0")}`;
      const [lightness, a, b] = oklabFromLinear(linearFromHex(hex));
      return Math.min(
        ...found.map(
          ({ colour: [l, x, y] }) => (l - lightness) ** 2 + 4 * ((x - a) ** 2 + (y - b) ** 2),
        ),
      );
    });
    return errors.reduce((sum, error) => sum + error, 0) / errors.length;
  };
  const errors = [1, 2, 4, 8, 16].map(errorOf);
  t.ok(
    errors.every((error, n) => n === 0 || error < 0.85 * errors[n - 1]),
    errors.join(" "),
  );
  const one = principalColours({ colour, alpha: null }, 8);
  const other = principalColours({ colour: colour.toReversed(), alpha: null }, 8);
  const off = one.map(({ share }, n) => Math.abs(share - other[n].share));
  t.ok(Math.max(...off) < 0.01, off.join(" "));
});
