import { Group, listGroups } from "../../actions/list-groups.ts";
import { catalogueTool } from "./catalogue-tool.ts";

export const listGroupsTool = catalogueTool({
  name: "list_groups",
  title: "List the wallpaper groups",
  description:
    "The 17 wallpaper groups with their usual names and the shape of their cell. Call it to choose the `group` of a pattern: p1 only repeats, p2/p4/p3/p6 rotate, pm/pmm/p4m/p3m1/p31m/p6m mirror, pg/pmg/pgg/p4g glide, cm/cmm stagger mirrors.",
  example: {},
  row: Group,
  list: listGroups,
});
