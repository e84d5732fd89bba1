import t from "tap";
import { T_SUPERGROUPS } from "../../engine/certificate/find-group.ts";
import { GROUP_NAMES } from "../../engine/index.ts";
import { tableRow } from "../helpers/symmetry.ts";

t.test("minimal supergroups agree with the machine-checked table", async (t) => {
  for (const name of GROUP_NAMES) t.same(T_SUPERGROUPS[name], tableRow(name).t_supergroups, name);
});
