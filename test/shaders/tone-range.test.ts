/** Stretched tones of duotone and halftone. */
import t from "tap";
import { packedOklab } from "../../engine/image/packed.ts";
import { principalColours } from "../../engine/image/principal-colours.ts";
import { duotone } from "../../shaders/effects/duotone.ts";
import { stretchOf } from "../../shaders/effects/lib/tone-range.ts";

const evenly = (low: number, high: number) =>
  Array.from({ length: 101 }, (_, k) => ({
    lightness: low + ((high - low) * k) / 100,
    share: 1,
    spread: 0,
  }));

t.test("middle tones take the whole range, in their order", (t) => {
  const stretched = stretchOf(evenly(0.4, 0.7), 1);
  t.equal(stretched(0.4), 0);
  t.equal(stretched(0.7), 1);
  t.ok(Math.abs(stretched(0.55) - 0.5) < 0.02);
  for (let k = 1; k <= 100; k++) t.ok(stretched(k / 100) >= stretched((k - 1) / 100));
  const half = stretchOf(evenly(0.4, 0.7), 0.5);
  t.ok(Math.abs(half(0.4) - 0.2) < 1e-9);
  t.end();
});

t.test("plain surfaces, full ranges and contrast 0 stay, whatever the order of the tones", (t) => {
  const kept = [
    stretchOf(evenly(0.6, 0.62), 1),
    stretchOf(evenly(0.4, 0.7), 0),
    stretchOf([], 1),
    stretchOf([{ lightness: 0.3, share: 0, spread: 0 }], 1),
  ];
  for (const stretched of kept) {
    for (const lightness of [0, 0.2, 0.61, 1]) t.equal(stretched(lightness), lightness);
  }
  const full = stretchOf(evenly(0, 1), 1);
  for (const lightness of [0.1, 0.5, 0.9]) t.ok(Math.abs(full(lightness) - lightness) < 0.03);
  const backwards = stretchOf(evenly(0.4, 0.7).reverse(), 1);
  t.equal(backwards(0.5), stretchOf(evenly(0.4, 0.7), 1)(0.5));
  t.end();
});

t.test("a few light specks do not keep a dark picture dark", (t) => {
  const stretched = stretchOf([...evenly(0.1, 0.4), { lightness: 1, share: 1, spread: 0 }], 1);
  t.ok(stretched(0.4) > 0.95);
  t.end();
});

t.test(
  "little of a picture is lost in black or white, also where a few colours take much of it",
  (t) => {
    const [width, height] = [200, 150];
    const pictures: Record<string, (x: number, y: number) => readonly number[]> = {
      ramp: (x) => Array<number>(3).fill((255 * x) / width),
      "dark half, many hues": (x, y) =>
        x < width / 2
          ? [20, 20, 24].map((value) => value + (40 * y) / height)
          : [x / 5, y / 6, (x + y) / 9].map((phase) => 128 + 127 * Math.sin(phase)),
      "snow with red spots": (x, y) =>
        x % 40 < 12 && y % 40 < 12
          ? [200 - x / 2, 20 + y / 2, 30]
          : [225 + (25 * y) / height, 225 + (25 * y) / height, 235 + (15 * y) / height],
    };
    for (const [name, colourAt] of Object.entries(pictures)) {
      const colour = Float32Array.from({ length: width * height }, (_, n) => {
        const [red, green, blue] = colourAt(n % width, Math.floor(n / width)).map(Math.round);
        return red * 65536 + green * 256 + blue;
      });
      const tones = principalColours({ colour, alpha: null }, 16).map(
        ({ colour: [lightness], share, spread = 0 }) => ({ lightness, share, spread }),
      );
      const stretched = stretchOf(tones, 1);
      const all = Array.from(colour, (packed) => stretched(packedOklab(packed)[0]));
      const [black, white] = [0, 1].map(
        (end) => all.filter((one) => one === end).length / all.length,
      );
      t.ok(black < 0.06 && white < 0.06, `${name}: ${black} and ${white}`);
    }
    t.end();
  },
);

t.test("duotone reads the picture's colours for its contrast only", (t) => {
  if (duotone.kind !== "pointwise") throw new Error("duotone sees single pixels");
  t.equal(duotone.readsColours?.({ contrast: 0.8 }), true);
  t.equal(duotone.readsColours?.({ contrast: 0 }), false);
  t.end();
});
