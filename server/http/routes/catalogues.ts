import Type, { type TSchema } from "typebox";
import { listEffects, PatternEffect } from "../../actions/list-effects.ts";
import { Group, listGroups } from "../../actions/list-groups.ts";
import { listPalettes, Palette } from "../../actions/list-palettes.ts";
import { listPresets, Preset } from "../../actions/list-presets.ts";
import { listProducts, Product } from "../../actions/list-products.ts";
import { listStyles, Style } from "../../actions/list-styles.ts";
import { listSurfaceEffects, SurfaceEffect } from "../../actions/list-surface-effects.ts";
import { strict } from "../../actions/resources/fields.ts";
import { route } from "../route.ts";

function catalogueRoute(path: string, summary: string, row: TSchema, list: () => unknown[]) {
  const schema = Type.Object({ data: Type.Array(row) }, strict);
  return route({
    method: "GET",
    path,
    tag: "Catalogues",
    summary,
    auth: "any",
    takesGuests: true,
    responses: {
      200: { description: "All of them.", schema, example: { data: list().slice(0, 1) } },
    },
    cost: 0,
    async handler() {
      return { status: 200, json: { data: list() } };
    },
  });
}

/** What there is to choose from. */
export const catalogueRoutes = [
  catalogueRoute("/api/v1/groups", "The 17 wallpaper groups", Group, listGroups),
  catalogueRoute(
    "/api/v1/effects",
    "The effects that patterns can have",
    PatternEffect,
    listEffects,
  ),
  catalogueRoute("/api/v1/palettes", "The palettes that there are", Palette, listPalettes),
  catalogueRoute("/api/v1/styles", "Looks with a name", Style, listStyles),
  catalogueRoute(
    "/api/v1/mockup-products",
    "The products that patterns can be shown on",
    Product,
    listProducts,
  ),
  catalogueRoute("/api/v1/presets", "The presets that sources are made from", Preset, listPresets),
  catalogueRoute(
    "/api/v1/surface-effects",
    "The effects that can be laid over a surface",
    SurfaceEffect,
    listSurfaceEffects,
  ),
];
