import t from "tap";
import { lightness } from "../../shaders/lib/colour.ts";
import { randomSequence } from "../../shaders/lib/random.ts";
import { palettes } from "../../shaders/palettes.ts";
import { contrasting, pickContrasting } from "../../shaders/presets/contrast.ts";
import { rolesInOrder } from "../../shaders/presets/palette.ts";

t.test("colours of every palette contrast with its grounds", async (t) => {
  for (const { id, colours } of palettes) {
    const palette = rolesInOrder(colours);
    for (const ground of [palette.paper, palette.ink, palette.leaf, ...palette.colours]) {
      const clear = contrasting(palette.colours, ground, 0.2);
      t.ok(clear.length > 1, id);
      for (const colour of clear) {
        // Moved colours stay in the gamut, which may shorten their way.
        t.ok(Math.abs(lightness(colour) - lightness(ground)) > 0.12, `${id}: ${colour}`);
      }
    }
  }
});

t.test("keeps colours with enough contrast", async (t) => {
  const { paper, ink, accent } = rolesInOrder(palettes[0].colours);
  t.strictSame(contrasting([ink, paper, accent], paper, 0.1), [ink, accent]);
});

t.test("neighbouring colours contrast", async (t) => {
  const random = randomSequence(1);
  const { colours } = rolesInOrder(palettes[3].colours);
  for (let draw = 0; draw < 200; draw++) {
    const beside = colours[draw % colours.length];
    t.not(pickContrasting(random, colours, beside), beside);
  }
});
