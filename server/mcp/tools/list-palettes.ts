import { listPalettes, Palette } from "../../actions/list-palettes.ts";
import { catalogueTool } from "./catalogue-tool.ts";

export const listPalettesTool = catalogueTool({
  name: "list_palettes",
  title: "List the palettes",
  description:
    "Palettes with their colours. A name from here is a `palette` for create_pattern, update_pattern and generate_preset; 2 to 16 hex colours of your own do as well.",
  example: {},
  row: Palette,
  list: listPalettes,
});
