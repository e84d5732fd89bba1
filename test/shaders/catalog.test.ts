import t from "tap";
import Type, { type TSchema } from "typebox";
import { Value } from "typebox/value";
import {
  effectArguments,
  patternEffects,
  presetNamed,
  presets,
  surfaceEffectNamed,
  surfaceEffects,
} from "../../shaders/catalog.ts";
import { grain } from "../../shaders/surface/grain.ts";
import { vignette } from "../../shaders/surface/vignette.ts";
import { isOptional } from "./extreme-parameters.ts";

const SHEET = { width: 64, height: 48, pixelsPerMillimetre: 12 };

t.test("lists everything with unique ids", async (t) => {
  t.match(
    presets.map(({ id }) => id),
    [
      "floral",
      "leaves",
      "geometric",
      "marble",
      "waves",
      "plasma",
      "voronoi",
      "truchet",
      "terrazzo",
      "polka",
      "stripes",
      "ikat",
      "mandala",
      "brush",
    ],
  );
  t.match(
    surfaceEffects.map(({ id }) => id),
    (
      "vignette grain paper canvas linen lighting emboss folds fade stain halftone_print " +
      "misregistration gradient_wash"
    ).split(" "),
  );
  t.match(
    patternEffects.map(({ id }) => id),
    (
      "brightness contrast saturation hue gamma temperature invert grayscale sepia posterize " +
      "threshold duotone flat_inks palette_map blur sharpen edges pixelate halftone swirl"
    ).split(" "),
  );
  for (const list of [presets, patternEffects, surfaceEffects]) {
    t.equal(new Set(list.map(({ id }) => id)).size, list.length);
    for (const { id, title, description } of list) {
      t.match(id, /^[a-z][a-z_]*$/);
      t.ok(title.length > 0 && description.endsWith("."), id);
    }
  }
});

t.test("finds by id, and returns undefined for unknown ids", async (t) => {
  for (const preset of presets) t.equal(presetNamed(preset.id), preset);
  for (const effect of surfaceEffects) t.equal(surfaceEffectNamed(effect.id), effect);
  t.equal(presetNamed("paisley"), undefined);
  t.equal(surfaceEffectNamed("toString"), undefined);
});

interface ParameterSchema extends TSchema {
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

t.test(
  "every parameter has a range, a default unless it is optional, and a description",
  async (t) => {
    for (const { id, params } of surfaceEffects) t.ok("strength" in params.properties, id);
    for (const { id, params } of [...surfaceEffects, ...patternEffects]) {
      t.match(params, { additionalProperties: false });
      for (const [name, schema] of Object.entries<ParameterSchema>(params.properties)) {
        const { description = "", minimum, maximum } = schema;
        const isNumber = Type.IsNumber(schema) || Type.IsInteger(schema);
        const isLeftOut = isOptional(schema) && schema.default === undefined;
        t.ok(
          isLeftOut || Value.Check(schema, schema.default),
          `${id}.${name} can have its default`,
        );
        t.ok(description.length > 15, `${id}.${name} says what it means`);
        t.equal(minimum !== undefined && maximum !== undefined, isNumber, `${id}.${name}`);
      }
    }
  },
);

t.test("neutral parameters are parameters", async (t) => {
  for (const { id, params, neutral } of patternEffects) {
    t.ok(Value.Check(params, Value.Default(params, { ...neutral })), id);
    t.not(Object.keys(neutral).length, 0, id);
  }
});

t.test("passes parameters in the schema's order with defaults", async (t) => {
  const given = effectArguments(vignette, { softness: 0.5, strength: 0.75 }, SHEET);
  t.strictSame(given.params, Float32Array.of(0.75, 0.35, 0.5));
  t.equal(given.table.length, 4096);
});

t.test("the table depends on the seed alone", async (t) => {
  const table = (params: Record<string, number>) => effectArguments(grain, params, SHEET).table;
  t.strictSame(table({ seed: 4 }), table({ seed: 4, strength: 1 }));
  t.strictSame(table({}), table({ seed: 1 }));
  t.notSame(table({ seed: 4 }), table({ seed: 5 }));
});
