import Type, { type TSchema } from "typebox";
import {
  Group,
  listEffects,
  listGroups,
  listPalettes,
  listPresets,
  listProducts,
  listStyles,
  listSurfaceEffects,
  Palette,
  PatternEffect,
  Preset,
  Product,
  Style,
  SurfaceEffect,
} from "../../actions/catalogues.ts";
import { strict } from "../../actions/fields.ts";
import { route } from "../route.ts";

function catalogueRoute(
  operationId: string,
  path: string,
  summary: string,
  row: TSchema,
  list: () => unknown[],
) {
  const schema = Type.Object({ data: Type.Array(row) }, strict);
  return route({
    method: "GET",
    path,
    tag: "Catalogue",
    operationId,
    summary,
    auth: "any",
    allowsGuests: true,
    responses: {
      200: { description: "All entries.", schema, example: { data: list().slice(0, 1) } },
    },
    cost: 0,
    async handler() {
      return { status: 200, json: { data: list() } };
    },
  });
}

/** Catalogues of groups, effects, palettes, styles, presets and products. */
export const catalogueRoutes = [
  catalogueRoute("listGroups", "/api/v1/groups", "List the 17 wallpaper groups", Group, listGroups),
  catalogueRoute(
    "listEffects",
    "/api/v1/effects",
    "List the pattern effects",
    PatternEffect,
    listEffects,
  ),
  catalogueRoute("listPalettes", "/api/v1/palettes", "List the palettes", Palette, listPalettes),
  catalogueRoute("listStyles", "/api/v1/styles", "List the styles", Style, listStyles),
  catalogueRoute(
    "listMockupProducts",
    "/api/v1/mockup-products",
    "List the mockup products",
    Product,
    listProducts,
  ),
  catalogueRoute("listPresets", "/api/v1/presets", "List the presets", Preset, listPresets),
  catalogueRoute(
    "listSurfaceEffects",
    "/api/v1/surface-effects",
    "List the surface effects",
    SurfaceEffect,
    listSurfaceEffects,
  ),
];
