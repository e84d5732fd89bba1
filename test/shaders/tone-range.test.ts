/** Stretched tones of duotone and halftone. */
import t from "tap";
import { duotone } from "../../shaders/effects/duotone.ts";
import { stretchOf } from "../../shaders/effects/lib/tone-range.ts";

const evenly = (low: number, high: number) =>
  Array.from({ length: 101 }, (_, k) => ({ lightness: low + ((high - low) * k) / 100, share: 1 }));

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
    stretchOf([{ lightness: 0.3, share: 0 }], 1),
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
  const stretched = stretchOf([...evenly(0.1, 0.4), { lightness: 1, share: 1 }], 1);
  t.ok(stretched(0.4) > 0.95);
  t.end();
});

t.test("duotone reads the picture's colours for its contrast only", (t) => {
  if (duotone.kind !== "pointwise") throw new Error("duotone sees single pixels");
  t.equal(duotone.readsColours?.({ contrast: 0.8 }), true);
  t.equal(duotone.readsColours?.({ contrast: 0 }), false);
  t.end();
});
