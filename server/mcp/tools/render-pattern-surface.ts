import Type from "typebox";
import { RenderFields } from "../../actions/render-pattern.ts";
import { showRender } from "../show-render.ts";
import { pictureTool } from "../tool.ts";
import { PatternId } from "./ids.ts";
import { fileFields, sheetFields } from "./render-fields.ts";

const { size, cell } = RenderFields.properties;

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
