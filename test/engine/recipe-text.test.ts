/** The recipe in a PNG. */
import { decode } from "fast-png";
import t from "tap";
import { Value } from "typebox/value";
import {
  checkDesign,
  checkRender,
  patternEffects,
  plainDesign,
  RenderFields,
  surfaceEffects,
} from "../../engine/index.ts";
import { RECIPE_KEYWORD, recipeTexts } from "../../engine/render/recipe-text.ts";
import { ENGINE_VERSION } from "../../engine/version.ts";
import { bytesOf, type RequestParts, request, testEngine } from "../helpers/engine.ts";
import { printed, printRequest } from "../helpers/print.ts";

const sheet = { mode: "surface", surface_width: 90, surface_height: 60, cell: 31.5 } as const;

const kinds: Record<string, RequestParts> = {
  "a tile": { group: "p6", motif: { rotation: 12.5 }, render: { size: 64, dpi: 144 } },
  "a tile with a look": { style: "risograph", palette: "lagoon", render: { size: 64 } },
  "a sheet": { group: "pg", lattice: { ratio: 1.5 }, render: { ...sheet, rotation: -350 } },
  "a sheet with effects": {
    effects: [{ id: "swirl" }],
    render: { ...sheet, surface_effects: [{ id: "grain", params: { seed: 5 } }] },
  },
  "an aperiodic sheet": {
    background: "#102030",
    render: { mode: "aperiodic", size: 96, cell: 20, aperiodic: { kind: "hat" } },
  },
};

const textsOf = (png: Uint8Array): Record<string, string> => decode(png).text;

/** Rebuilds a request from a recipe alone, as a reader of the file would. */
function requestOf(recipe: string, source: Uint8Array) {
  const { source_sha256, ...fields } = JSON.parse(recipe);
  const { group, motif, lattice, seam, effects, background, width, height, ...render } = fields;
  const design = {
    ...plainDesign(group ?? "p1"),
    ...{ motif, effects, background },
    ...(group !== undefined && { lattice, seam }),
  };
  const sides = width !== undefined && { surface_width: width, surface_height: height };
  const given = Value.Parse(RenderFields, Value.Default(RenderFields, { ...render, ...sides }));
  return {
    design: checkDesign(design),
    render: checkRender(given),
    source: { sha256: source_sha256, bytes: source },
  };
}

t.test("a render's metadata reproduces the same bytes", async (t) => {
  const engine = await testEngine(t);
  for (const [what, parts] of Object.entries(kinds)) {
    const made = request(parts);
    const file = await bytesOf(await engine.render(made));
    const texts = textsOf(file);
    t.equal(texts.Software, `orbifold, engine ${ENGINE_VERSION}`);
    const recipe = texts[RECIPE_KEYWORD];
    const again = await bytesOf(await engine.render(requestOf(recipe, made.source.bytes)));
    t.ok(Buffer.from(again).equals(file), what);
  }
});

t.test("a print's metadata contains the equivalent render", async (t) => {
  const engine = await testEngine(t);
  const parts = { print: { format: "png", dpi: 72, bleed_mm: 3, rotation: 20 } } as const;
  const recipe = textsOf(await printed(engine, parts))[RECIPE_KEYWORD];
  const again = await engine.render(requestOf(recipe, printRequest(parts).source.bytes));
  const rendered = decode(await bytesOf(again));
  t.ok(Buffer.from(rendered.data).equals(Buffer.from(decode(await printed(engine, parts)).data)));
  t.equal(rendered.text[RECIPE_KEYWORD], recipe);
});

t.test("equivalent requests have the same metadata", (t) => {
  const effects = (params: object) => [{ id: "halftone", params: { ...params } }];
  const one = request({ effects: effects({ dots: 12, mode: "ink" }), render: { size: 64 } });
  const other = request({
    effects: effects({ mode: "ink", dots: 12 }),
    render: { size: 64, rotation: 30, quality: 5, cell: 100 },
  });
  t.strictSame(recipeTexts(one), recipeTexts(other));
  const turned = request({ render: { ...sheet, rotation: -350 } });
  t.strictSame(recipeTexts(turned), recipeTexts(request({ render: { ...sheet, rotation: 10 } })));
  t.notSame(recipeTexts(turned), recipeTexts(request({ render: { ...sheet, rotation: 11 } })));
  t.end();
});

t.test("the longest recipes are short ASCII", (t) => {
  const palette = Array.from({ length: 16 }, (_, k) => `#0f${k.toString(16).padStart(4, "0")}`);
  const use = ({ id }: { readonly id: string }) => ({ id });
  const effects = [
    ...Array(8).fill({ id: "palette_map", params: { palette } }),
    ...patternEffects.slice(-8).map(use),
  ];
  const render = { ...sheet, surface_effects: [...surfaceEffects, ...surfaceEffects].slice(0, 16) };
  const long = request({
    palette,
    effects,
    render: { ...render, surface_effects: render.surface_effects.map(use) },
  });
  const { [RECIPE_KEYWORD]: recipe = "" } = recipeTexts(long);
  t.ok(recipe.length > 3000 && recipe.length < 8192, `${recipe.length} characters`);
  t.match(recipe, /^[ -~]+$/);
  const named = request({ effects: [{ id: "sepia" }] });
  const odd = { ...named, design: { ...named.design, background: "grün\u{1f3a8}" } };
  const { [RECIPE_KEYWORD]: spelled = "" } = recipeTexts(odd);
  t.match(spelled, /^[ -~]+$/);
  t.equal(JSON.parse(spelled).background, "grün\u{1f3a8}");
  t.end();
});
