import { listStyles, Style } from "../../actions/list-styles.ts";
import { catalogueTool } from "./catalogue-tool.ts";

export const listStylesTool = catalogueTool({
  name: "list_styles",
  title: "List the styles",
  description:
    "Named looks, each a bundle of seam, effects, palette and surface effects. A name from here is a `style` for create_pattern and update_pattern: the quickest way to a finished look.",
  example: {},
  row: Style,
  list: listStyles,
});
