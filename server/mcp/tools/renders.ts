/** Tools that render patterns. */
import Type from "typebox";
import { RenderLinkFields } from "../../actions/render-links.ts";
import { LIMITS, PrintFrieze, RenderFields } from "../../actions/renders.ts";
import { showRender } from "../show-render.ts";
import { pictureTool } from "../tool.ts";
import { PatternId } from "./patterns.ts";

const { format, quality, dpi, rotation, offset, surface_effects, surface_width, surface_height } =
  RenderFields.properties;
const { aperiodic, cell, hex_cells, rosette, size, tile } = RenderFields.properties;
const { expires_in } = RenderLinkFields.properties;

/** Fields of the image file, and the lifetime of the link. */
const fileFields = {
  format,
  quality,
  dpi,
  expires_in: Type.Integer({
    ...expires_in,
    description: "Seconds until `full.url` expires: 86400 is a day, 7776000 is 90 days.",
  }),
};

const { default: side } = LIMITS.tile;

/** Fields of any sheet. */
const stripFields = {
  surface_width: Type.Integer({
    ...surface_width,
    default: side,
    description: "Width of the surface in pixels.",
  }),
  surface_height: Type.Integer({
    ...surface_height,
    default: side,
    description: `Height of the surface in pixels. The surface may have ${LIMITS.surface.maximumPixels} pixels in total.`,
  }),
  offset: Type.Object(offset.properties, {
    ...offset,
    description: "Position of the pattern's origin, in pixels from the surface's top left corner.",
  }),
  surface_effects,
};

/** Fields of a surface. */
const sheetFields = {
  ...stripFields,
  rotation: Type.Number({
    ...rotation,
    description: "Degrees by which the pattern is rotated clockwise on the surface.",
  }),
};

export const renderPatternTile = pictureTool({
  name: "render_pattern_tile",
  title: "Render a tile",
  description:
    'Renders one tile of a pattern, which repeats seamlessly: a square, or with `tile: "cell"` a single period in its true shape, which shows hexagonal patterns larger. Call it after create_pattern or update_pattern to see the result. Returns the image, at most 1568 pixels wide and compressed if necessary, and as text `full.url`, a signed URL of the image exactly as requested that anyone can open without a key: give that to the user. It works for a day, or `expires_in` seconds, and always shows this version of the pattern. `symmetry` is the verdict of the pattern\'s certificate.',
  input: { pattern_id: PatternId, size, tile, hex_cells, ...fileFields },
  behaviour: { readOnly: true, idempotent: true },
  example: { pattern_id: 12, size: 1024 },
  run: (call) => showRender(call, (asked) => ({ mode: "tile", ...asked })),
});

export const renderPatternSurface = pictureTool({
  name: "render_pattern_surface",
  title: "Render a surface",
  description:
    "Renders a surface of any size covered with a pattern: for wallpaper, fabric, a poster, a background. Call list_surface_effects before you use `surface_effects`. Returns an image of at most 1568 pixels on its longer side, a preview if the surface is larger, and as text `full.url`, a signed URL of the surface exactly as requested that anyone can open without a key: give that to the user. It works for a day, or `expires_in` seconds, and always shows this version of the pattern. For print choose surface_width = inches × dpi.",
  input: {
    pattern_id: PatternId,
    ...sheetFields,
    size: Type.Integer({
      ...size,
      default: 512,
      description:
        "Scale of the pattern: that of a tile with this edge in pixels. The surface has its own width and height.",
    }),
    cell: Type.Optional(
      Type.Number({
        ...cell,
        description:
          "Scale of the pattern instead of `size`: edge of one conventional cell in pixels.",
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
    "Renders a surface covered with a tiling that never repeats (Penrose, Ammann–Beenker, hat, spectre, …), each tile filled from the pattern's source with its motif, effects and palette, regardless of its group. The same `seed` returns the same surface. Returns an image of at most 1568 pixels on its longer side and as text `full.url`, a signed URL of the full image that anyone can open without a key: give that to the user. It works for a day, or `expires_in` seconds, and always shows this version of the pattern.",
  input: {
    pattern_id: PatternId,
    ...aperiodic.properties,
    ...sheetFields,
    cell: Type.Number({
      ...cell,
      default: 128,
      description: "Edge of one tile of the tiling in pixels.",
    }),
    ...fileFields,
  },
  behaviour: { readOnly: true, idempotent: true },
  example: { pattern_id: 12, kind: "penrose_p3", surface_width: 1600, surface_height: 1200 },
  run: (call) =>
    showRender(
      call,
      ({ kind, n, fill, variation, blend, outline_width, outline_colour, seed, ...sheet }) => ({
        mode: "aperiodic",
        ...sheet,
        aperiodic: {
          kind,
          n,
          fill,
          ...(variation !== undefined && { variation }),
          ...(blend !== undefined && { blend }),
          ...(outline_width !== undefined && { outline_width }),
          outline_colour,
          seed,
        },
      }),
    ),
});

export const renderFrieze = pictureTool({
  name: "render_frieze",
  title: "Render a frieze",
  description:
    "Renders a strip under one of the seven frieze groups from the pattern's source with its motif, effects and palette, regardless of its group: for ribbons, borders and mugs. It repeats a whole number of times along its width, so that its ends meet. For a mug choose surface_width = circumference in inches × dpi. Returns an image of at most 1568 pixels on its longer side and as text `full.url`, a signed URL of the full strip that anyone can open without a key: give that to the user. It works for a day, or `expires_in` seconds, and always shows this version of the pattern.",
  input: {
    pattern_id: PatternId,
    frieze: PrintFrieze,
    ...stripFields,
    surface_width: Type.Integer({ ...stripFields.surface_width, default: 2048 }),
    surface_height: Type.Integer({ ...stripFields.surface_height, default: 256 }),
    ...fileFields,
  },
  behaviour: { readOnly: true, idempotent: true },
  example: {
    pattern_id: 12,
    frieze: { group: "p2mg", repeats: 7 },
    surface_width: 2976,
    surface_height: 1063,
  },
  run: (call) => showRender(call, (asked) => ({ mode: "frieze", ...asked })),
});

export const renderRosette = pictureTool({
  name: "render_rosette",
  title: "Render a rosette",
  description:
    "Renders a mandala: the pattern's source with its motif, effects and palette, repeated around one point `fold` times, with mirrors or without, regardless of its group. For plates, clocks, round stickers and logos. Outside a disc the image is transparent, or of the pattern's background. Returns an image of at most 1568 pixels on its longer side and as text `full.url`, a signed URL of the full image that anyone can open without a key: give that to the user. It works for a day, or `expires_in` seconds, and always shows this version of the pattern.",
  input: {
    pattern_id: PatternId,
    ...rosette.properties,
    ...sheetFields,
    offset: Type.Object(offset.properties, {
      ...offset,
      description: "Position of the rosette's centre, in pixels from the centre of the image.",
    }),
    cell: Type.Optional(
      Type.Number({
        ...cell,
        description: "Diameter of the rosette in pixels. Default: the image's shorter side.",
      }),
    ),
    ...fileFields,
  },
  behaviour: { readOnly: true, idempotent: true },
  example: { pattern_id: 12, fold: 12, mirrors: true, surface_width: 1800, surface_height: 1800 },
  run: (call) =>
    showRender(call, ({ fold, mirrors, shape, ...sheet }) => ({
      mode: "rosette",
      ...sheet,
      rosette: { fold, mirrors, shape },
    })),
});
