/** Tools that render patterns. */
import Type from "typebox";
import { RenderLinkFields } from "../../actions/render-links.ts";
import { LIMITS, RenderFields } from "../../actions/renders.ts";
import { showRender } from "../show-render.ts";
import { pictureTool } from "../tool.ts";
import { PatternId } from "./patterns.ts";

const { format, quality, dpi, rotation, offset, surface_effects, surface_width, surface_height } =
  RenderFields.properties;
const { aperiodic, cell, hex_cells, size } = RenderFields.properties;
const { expires_in } = RenderLinkFields.properties;

/** How a picture is written, and how long the link to it works. */
const fileFields = {
  format,
  quality,
  dpi,
  expires_in: Type.Integer({
    ...expires_in,
    description:
      "Seconds from now until the link `full.url` stops working: 86400 is a day, 7776000 are 90 days.",
  }),
};

const { default: side } = LIMITS.tile;

/** A sheet of any size and what lies on it. */
const sheetFields = {
  surface_width: Type.Integer({
    ...surface_width,
    default: side,
    description: "Width of the sheet in pixels.",
  }),
  surface_height: Type.Integer({
    ...surface_height,
    default: side,
    description: `Height of the sheet in pixels. The sheet may have ${LIMITS.surface.maximumPixels} pixels in all.`,
  }),
  rotation: Type.Number({
    ...rotation,
    description: "Degrees by which the pattern is turned clockwise on the sheet.",
  }),
  offset: Type.Object(offset.properties, {
    ...offset,
    description:
      "Where on the sheet the pattern's origin lies, in pixels from its top left corner.",
  }),
  surface_effects,
};

export const renderPatternTile = pictureTool({
  name: "render_pattern_tile",
  title: "Render a tile",
  description:
    "Shows one square tile of a pattern, which repeats without a seam. Call it after create_pattern or update_pattern to see what came out. You get the picture itself, at most 1568 pixels wide and compressed where it must be, and as text `full.url`, a signed link to the picture exactly as asked for that anyone can open without a key: give that to people. It works for a day, or `expires_in` seconds, and always shows this version of the pattern. `symmetry` is the verdict of the pattern's certificate.",
  input: { pattern_id: PatternId, size, hex_cells, ...fileFields },
  behaviour: { readOnly: true, idempotent: true },
  example: { pattern_id: 12, size: 1024 },
  run: (call) => showRender(call, (asked) => ({ mode: "tile", ...asked })),
});

export const renderPatternSurface = pictureTool({
  name: "render_pattern_surface",
  title: "Render a sheet",
  description:
    "Shows a sheet of any size covered with a pattern: for wallpaper, fabric, a poster, a background. Call list_surface_effects before you use `surface_effects`. You get a picture of at most 1568 pixels on its longer side, a preview where the sheet is larger, and as text `full.url`, a signed link to the sheet exactly as asked for that anyone can open without a key: give that to people. It works for a day, or `expires_in` seconds, and always shows this version of the pattern. For print choose surface_width = inches × dpi.",
  input: {
    pattern_id: PatternId,
    ...sheetFields,
    size: Type.Integer({
      ...size,
      default: 512,
      description:
        "Scale of the pattern: as in a tile of so many pixels. The sheet has its own width and height.",
    }),
    cell: Type.Optional(
      Type.Number({
        ...cell,
        description:
          "Scale of the pattern in place of `size`: edge of one conventional cell in pixels.",
      }),
    ),
    ...fileFields,
  },
  behaviour: { readOnly: true, idempotent: true },
  example: {
    pattern_id: 12,
    surface_width: 3600,
    surface_height: 2400,
    size: 600,
    surface_effects: [{ id: "vignette", params: { strength: 0.4 } }],
  },
  run: (call) => showRender(call, (asked) => ({ mode: "surface", ...asked })),
});

export const renderAperiodic = pictureTool({
  name: "render_aperiodic",
  title: "Render an aperiodic tiling",
  description:
    "Shows a sheet covered with a tiling that never repeats (Penrose, Ammann–Beenker, hat, spectre, …), each tile filled from the pattern's source with its motif, effects and palette; its group plays no part. The same `seed` gives the same sheet. You get a picture of at most 1568 pixels on its longer side and as text `full.url`, a signed link to the whole that anyone can open without a key: give that to people. It works for a day, or `expires_in` seconds, and always shows this version of the pattern.",
  input: {
    pattern_id: PatternId,
    ...aperiodic.properties,
    ...sheetFields,
    cell: Type.Number({
      ...cell,
      default: 128,
      description: "Size of the tiling: edge of one of its tiles in pixels.",
    }),
    ...fileFields,
  },
  behaviour: { readOnly: true, idempotent: true },
  example: { pattern_id: 12, kind: "penrose_p3", surface_width: 1600, surface_height: 1200 },
  run: (call) =>
    showRender(call, ({ kind, n, fill, outline_width, outline_colour, seed, ...sheet }) => ({
      mode: "aperiodic",
      ...sheet,
      aperiodic: { kind, n, fill, outline_width, outline_colour, seed },
    })),
});
