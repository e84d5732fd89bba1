/** Tools that list the catalogues, in pages like every list. */
import Type, { type TSchema } from "typebox";
import {
  Group,
  listEffects,
  listGroups,
  listPalettes,
  listStyles,
  listSurfaceEffects,
  Palette,
  PatternEffect,
  Style,
  SurfaceEffect,
} from "../../actions/catalogues.ts";
import { PageOf, pageFields, readCursor, toPageResponse } from "../../actions/fields.ts";
import { dataTool, type Tool } from "../tool.ts";

const input = {
  ...pageFields,
  limit: Type.Integer({
    ...pageFields.limit,
    default: 100,
    description: "Rows per page; default: all.",
  }),
};

interface Catalogue {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly row: TSchema;
  list(): readonly object[];
}

function catalogueTool({ row, list, ...named }: Catalogue): Tool {
  return dataTool({
    ...named,
    input,
    example: {},
    output: PageOf(row),
    behaviour: { readOnly: true, idempotent: true },
    async run({ input: { cursor, limit } }) {
      const rows = list();
      const { before: start = 0 } = readCursor(cursor);
      const next = start + limit < rows.length ? start + limit : null;
      return toPageResponse({ rows: rows.slice(start, start + limit), next }, (shown) => shown);
    },
  });
}

const CATALOGUES: readonly Catalogue[] = [
  {
    name: "list_groups",
    title: "List the wallpaper groups",
    description:
      "Lists the 17 wallpaper groups with their usual names, the shape of their cell and their two-colour groups. Call it to choose the `group` of a pattern: p1 only repeats, p2/p4/p3/p6 rotate, pm/pmm/p4m/p3m1/p31m/p6m mirror, pg/pmg/pgg/p4g glide, cm/cmm stagger mirrors.",
    row: Group,
    list: listGroups,
  },

  {
    name: "list_effects",
    title: "List the pattern effects",
    description:
      "Lists the effects of patterns (contrast, duotone, halftone, flat inks with names for printers, …), each with its parameters as JSON Schema. Call it before you set `effects` in create_pattern or update_pattern. They preserve the symmetry and apply to tiles and surfaces alike; for paper, grain or vignette see list_surface_effects.",
    row: PatternEffect,
    list: listEffects,
  },

  {
    name: "list_surface_effects",
    title: "List the surface effects",
    description:
      "Lists the effects that apply to a whole surface (vignette, paper, grain, …), each with its parameters as JSON Schema. Call it before you set `surface_effects` in render_pattern_surface or render_aperiodic. Tiles have none: they have to repeat.",
    row: SurfaceEffect,
    list: listSurfaceEffects,
  },

  {
    name: "list_palettes",
    title: "List the palettes",
    description:
      "Lists the palettes with their colours. Each name is a value for `palette` of create_pattern, update_pattern and generate_preset, which also accept 2 to 16 hex colours.",
    row: Palette,
    list: listPalettes,
  },

  {
    name: "list_styles",
    title: "List the styles",
    description:
      "Lists named styles, each a combination of seam, effects, palette and surface effects. Each name is a value for `style` of create_pattern and update_pattern: the quickest way to a finished look.",
    row: Style,
    list: listStyles,
  },
];

export const catalogueTools = CATALOGUES.map(catalogueTool);
