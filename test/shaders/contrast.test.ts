import t from "tap";
import { lightness } from "../../shaders/lib/colour.ts";
import { randomSequence } from "../../shaders/lib/random.ts";
import { palettes } from "../../shaders/palettes.ts";
import { pickBeside, standingOff } from "../../shaders/presets/contrast.ts";
import { castInOrder } from "../../shaders/presets/palette.ts";

t.test("colours of every palette contrast with its grounds", async (t) => {
  for (const { id, colours } of palettes) {
    const palette = castInOrder(colours);
    for (const ground of [palette.paper, palette.ink, palette.leaf, ...palette.colours]) {
      const clear = standingOff(palette.colours, ground, 0.2);
      t.ok(clear.length > 1, id);
      for (const colour of clear) {
        // Moved colours stay in the gamut, which may shorten their way.
        t.ok(Math.abs(lightness(colour) - lightness(ground)) > 0.12, `${id}: ${colour}`);
      }
    }
  }
});

t.test("keeps colours with enough contrast", async (t) => {
  const { paper, ink, accent } = castInOrder(palettes[0].colours);
  t.strictSame(standingOff([ink, paper, accent], paper, 0.1), [ink, accent]);
});

t.test("neighbouring colours contrast", async (t) => {
  const random = randomSequence(1);
  const { colours } = castInOrder(palettes[3].colours);
  for (let draw = 0; draw < 200; draw++) {
    const beside = colours[draw % colours.length];
    t.not(pickBeside(random, colours, beside), beside);
  }
});
