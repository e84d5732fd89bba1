import { RenderFields } from "../../actions/render-pattern.ts";
import { showRender } from "../show-render.ts";
import { pictureTool } from "../tool.ts";
import { PatternId } from "./ids.ts";
import { fileFields } from "./render-fields.ts";

const { size, hex_cells } = RenderFields.properties;

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
