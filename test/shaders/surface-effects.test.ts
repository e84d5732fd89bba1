/** What every surface effect keeps to, on every backend. */
import t from "tap";
import { surfaceEffects } from "../../shaders/catalog.ts";
import { backends } from "./backends.ts";
import { layEffect } from "./lay-effect.ts";
import { colourful, largestDifference } from "./pixels.ts";

const WIDTH = 96;
const HEIGHT = 64;
const sheet = { colour: colourful(WIDTH, HEIGHT), width: WIDTH, height: HEIGHT };

const { reference, others } = await backends(t);

for (const effect of surfaceEffects) {
  /** All parameters at the far end of their range: what brings differences out. */
  const strong = Object.fromEntries(
    Object.entries(effect.params.properties).map(([name, schema]) => [
      name,
      name === "seed" ? 77 : (schema as unknown as { maximum: number }).maximum * 0.9,
    ]),
  );

  t.test(`${effect.id}: strength 0 changes no pixel`, async (t) => {
    for (const runner of [reference, ...others]) {
      const out = await layEffect(runner, effect, { ...strong, strength: 0 }, sheet);
      t.strictSame(out, sheet.colour, runner.backend);
    }
  });

  t.test(`${effect.id}: with its defaults it changes the sheet`, async (t) => {
    const out = await layEffect(reference, effect, {}, sheet);
    t.ok(largestDifference(out, sheet.colour) > 8);
  });

  t.test(`${effect.id}: the backends agree`, async (t) => {
    for (const params of [{}, strong]) {
      const expected = await layEffect(reference, effect, params, sheet);
      for (const runner of others) {
        const out = await layEffect(runner, effect, params, sheet);
        t.ok(largestDifference(out, expected) <= 1, runner.backend);
      }
    }
  });

  t.test(`${effect.id}: bands are the whole to the bit`, async (t) => {
    const rows = 24;
    for (const runner of [reference, ...others]) {
      const whole = await layEffect(runner, effect, strong, sheet);
      for (let firstRow = 0; firstRow < HEIGHT; firstRow += rows) {
        const from = firstRow * WIDTH;
        const to = Math.min(firstRow + rows, HEIGHT) * WIDTH;
        const band = { ...sheet, colour: sheet.colour.slice(from, to), firstRow };
        const out = await layEffect(runner, effect, strong, band);
        t.strictSame(out, whole.slice(from, to), `${runner.backend}, row ${firstRow}`);
      }
    }
  });

  t.test(`${effect.id}: rows far down a large sheet agree between backends too`, async (t) => {
    const band = { ...sheet, height: 20000, firstRow: 20000 - HEIGHT };
    const expected = await layEffect(reference, effect, strong, band);
    for (const runner of others) {
      const out = await layEffect(runner, effect, strong, band);
      t.ok(largestDifference(out, expected) <= 1, runner.backend);
    }
  });

  t.test(`${effect.id}: only colours come out`, async (t) => {
    const out = await layEffect(reference, effect, strong, sheet);
    t.ok(out.every((packed) => Number.isInteger(packed) && packed >= 0 && packed < 2 ** 24));
  });
}
