import Type from "typebox";
import { RenderFields } from "../../actions/render-pattern.ts";
import { showRender } from "../show-render.ts";
import { pictureTool } from "../tool.ts";
import { PatternId } from "./ids.ts";
import { fileFields, sheetFields } from "./render-fields.ts";

const { cell, aperiodic } = RenderFields.properties;

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
