import t from "tap";
import {
  effectArguments,
  presetNamed,
  presets,
  surfaceEffectNamed,
  surfaceEffects,
} from "../../shaders/catalog.ts";
import { grain } from "../../shaders/surface/grain.ts";

t.test("lists what the interface promises, each under its own id", async (t) => {
  t.match(
    presets.map(({ id }) => id),
    ["floral", "marble", "geometric", "voronoi"],
  );
  t.match(
    surfaceEffects.map(({ id }) => id),
    ["vignette", "grain"],
  );
  for (const list of [presets, surfaceEffects]) {
    t.equal(new Set(list.map(({ id }) => id)).size, list.length);
    for (const { id, title, description } of list) {
      t.match(id, /^[a-z][a-z_]*$/);
      t.ok(title.length > 0 && description.endsWith("."), id);
    }
  }
});

t.test("finds by id, and gives undefined for what there is not", async (t) => {
  for (const preset of presets) t.equal(presetNamed(preset.id), preset);
  for (const effect of surfaceEffects) t.equal(surfaceEffectNamed(effect.id), effect);
  t.equal(presetNamed("paisley"), undefined);
  t.equal(surfaceEffectNamed("toString"), undefined);
});

t.test("every parameter says its range, its default and what it means", async (t) => {
  for (const { id, params } of surfaceEffects) {
    t.ok("strength" in params.properties, `${id} has a strength`);
    t.equal((params as { additionalProperties?: unknown }).additionalProperties, false);
    for (const [name, schema] of Object.entries(params.properties)) {
      const { minimum, maximum, description, ...rest } = schema as unknown as {
        minimum: number;
        maximum: number;
        default: number;
        description: string;
      };
      t.ok(minimum <= rest.default && rest.default <= maximum, `${id}.${name}`);
      t.ok(description.length > 20, `${id}.${name}`);
    }
  }
});

t.test("hands parameters over in the schema's order, defaults filled in", async (t) => {
  const given = effectArguments(grain, { seed: 9, strength: 0.5 });
  t.strictSame(given.params, Float32Array.of(0.5, 1.5, 0, 9));
  t.equal(given.table.length, 4096);
});

t.test("the table depends on the seed alone", async (t) => {
  const table = (params: Record<string, number>) => effectArguments(grain, params).table;
  t.strictSame(table({ seed: 4 }), table({ seed: 4, strength: 1 }));
  t.strictSame(table({}), table({ seed: 1 }));
  t.notSame(table({ seed: 4 }), table({ seed: 5 }));
});
