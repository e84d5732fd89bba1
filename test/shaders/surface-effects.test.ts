/** Properties of every surface effect, on every backend. */
import t from "tap";
import { Value } from "typebox/value";
import { effectArguments, surfaceEffects } from "../../shaders/catalog.ts";
import { applySurfaceEffect, pixelsPerMillimetre } from "./apply-surface-effect.ts";
import { backends } from "./backends.ts";
import { extremeParameters } from "./extreme-parameters.ts";
import { colourful, largestDifference } from "./pixels.ts";

const WIDTH = 96;
const HEIGHT = 64;
const sheet = { colour: colourful(WIDTH, HEIGHT), width: WIDTH, height: HEIGHT };

const { reference, others } = await backends(t);

for (const effect of surfaceEffects) {
  const strong = extremeParameters(effect.params);

  t.test(`${effect.id}: parameters have ranges that include their defaults`, async (t) => {
    t.strictSame([...Value.Errors(effect.params, strong)], []);
    t.strictSame([...Value.Errors(effect.params, Value.Default(effect.params, {}))], []);
    t.notOk(Value.Check(effect.params, { ...strong, unheard_of: 1 }), "closed");
    const covered = { width: WIDTH, height: HEIGHT, pixelsPerMillimetre };
    const plain = effectArguments(effect, {}, covered);
    const far = effectArguments(effect, strong, covered);
    t.equal(far.params.length, plain.params.length, "always as many numbers");
    for (const { params, reach } of [plain, far]) {
      t.ok(params.every(Number.isFinite));
      t.ok(Number.isInteger(reach) && reach >= 0 && reach <= 256, `reach ${reach}`);
    }
  });

  t.test(`${effect.id}: strength 0 changes no pixel`, async (t) => {
    for (const runner of [reference, ...others]) {
      const out = await applySurfaceEffect(runner, effect, { ...strong, strength: 0 }, sheet);
      t.strictSame(out, sheet.colour, runner.backend);
    }
  });

  t.test(`${effect.id}: with its defaults it changes the sheet`, async (t) => {
    const out = await applySurfaceEffect(reference, effect, {}, sheet);
    t.ok(largestDifference(out, sheet.colour) > 8);
  });

  t.test(`${effect.id}: the backends agree`, async (t) => {
    for (const params of [{}, strong]) {
      const expected = await applySurfaceEffect(reference, effect, params, sheet);
      for (const runner of others) {
        const out = await applySurfaceEffect(runner, effect, params, sheet);
        t.ok(largestDifference(out, expected) <= 1, runner.backend);
      }
    }
  });

  t.test(`${effect.id}: bands equal the whole bit for bit`, async (t) => {
    for (const runner of [reference, ...others]) {
      const whole = await applySurfaceEffect(runner, effect, strong, sheet);
      for (let from = 0; from < HEIGHT; from += 24) {
        const rows = Math.min(24, HEIGHT - from);
        const out = await applySurfaceEffect(runner, effect, strong, sheet, { from, rows });
        const same = whole.slice(from * WIDTH, (from + rows) * WIDTH);
        t.strictSame(out, same, `${runner.backend}, row ${from}`);
      }
    }
  });

  t.test(`${effect.id}: rows far down a large sheet agree between backends too`, async (t) => {
    const band = { ...sheet, height: 20000, firstRow: 20000 - HEIGHT };
    const expected = await applySurfaceEffect(reference, effect, strong, band);
    for (const runner of others) {
      const out = await applySurfaceEffect(runner, effect, strong, band);
      t.ok(largestDifference(out, expected) <= 1, runner.backend);
    }
  });

  t.test(`${effect.id}: returns valid colours only`, async (t) => {
    const out = await applySurfaceEffect(reference, effect, strong, sheet);
    t.ok(out.every((packed) => Number.isInteger(packed) && packed >= 0 && packed < 2 ** 24));
  });
}
