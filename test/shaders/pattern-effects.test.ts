/** Properties of every pointwise effect, on every backend. */
import t from "tap";
import Value from "typebox/value";
import { patternEffectNamed, patternEffects } from "../../shaders/catalog.ts";
import type { PointwiseEffect } from "../../shaders/effects/effect.ts";
import { palettes } from "../../shaders/palettes.ts";
import { backends } from "./backends.ts";
import { applyEffect } from "./effects/apply-effect.ts";
import { extremeParameters, isOptional } from "./extreme-parameters.ts";
import { colourful, largestDifference } from "./pixels.ts";

const colours = colourful(256, 128);
const { reference, others } = await backends(t);
const pointwise = patternEffects.filter(
  (effect): effect is PointwiseEffect => effect.kind === "pointwise",
);

t.test("lists effects in processing order with unique ids", async (t) => {
  const ids =
    "brightness contrast saturation hue gamma temperature invert grayscale sepia posterize threshold duotone flat_inks palette_map";
  t.strictSame(
    pointwise.map(({ id }) => id),
    ids.split(" "),
  );
  for (const effect of pointwise) t.equal(patternEffectNamed(effect.id), effect);
});

for (const effect of pointwise) {
  const far = extremeParameters(effect.params);

  t.test(`${effect.id}: every parameter has a default and a description`, async (t) => {
    const { params, title, description } = effect;
    t.ok(title.length > 0 && description.endsWith("."));
    t.match(params, { additionalProperties: false });
    for (const [name, schema] of Object.entries(params.properties)) {
      const { type, minimum, maximum, ...rest } = schema as {
        type?: string;
        minimum?: number;
        maximum?: number;
        default: unknown;
        description: string;
      };
      const isLeftOut = isOptional(schema) && rest.default === undefined;
      t.ok(isLeftOut || Value.Check(schema, rest.default), `${name}'s default is allowed`);
      t.ok(rest.description.length > 20 && rest.description.endsWith("."), name);
      if (type === "number" || type === "integer") {
        t.ok((minimum as number) < (maximum as number), `${name} has a range`);
      }
    }
  });

  t.test(`${effect.id}: its neutral parameters leave every colour within 1/255`, async (t) => {
    for (const runner of [reference, ...others]) {
      for (const params of [{}, far]) {
        const out = await applyEffect(runner, effect, { ...params, ...effect.neutral }, colours);
        t.ok(largestDifference(out, colours) <= 1, runner.backend);
      }
    }
  });

  t.test(`${effect.id}: with its defaults it changes the pattern`, async (t) => {
    const out = await applyEffect(reference, effect, {}, colours);
    t.ok(largestDifference(out, colours) > 8);
  });

  t.test(`${effect.id}: the backends agree`, async (t) => {
    for (const params of [{}, far]) {
      const expected = await applyEffect(reference, effect, params, colours);
      for (const runner of others) {
        const out = await applyEffect(runner, effect, params, colours);
        t.ok(largestDifference(out, expected) <= 1, runner.backend);
      }
    }
  });

  t.test(`${effect.id}: returns valid colours only`, async (t) => {
    for (const params of [{}, far]) {
      const out = await applyEffect(reference, effect, params, colours);
      t.ok(out.every((packed) => Number.isInteger(packed) && packed >= 0 && packed < 2 ** 24));
    }
  });

  t.test(`${effect.id}: array lengths do not depend on the parameters`, async (t) => {
    const sizes = (given: object) =>
      effect
        .prepare(Value.Default(effect.params, { ...given }) as never, [])
        .map((one) => (typeof one === "number" ? 1 : one.length));
    t.strictSame(sizes(far), sizes({}));
    t.strictSame(sizes({ ...far, ...effect.neutral }), sizes({}));
  });
}

t.test("palettes: have eight colours, one for each role, and unique ids", async (t) => {
  t.equal(new Set(palettes.map(({ id }) => id)).size, palettes.length);
  for (const { id, colours } of palettes) {
    t.equal(colours.length, 8, id);
    t.ok(
      colours.every((hex) => /^#[0-9a-f]{6}$/.test(hex)),
      id,
    );
  }
});
