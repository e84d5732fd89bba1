/** Choice of the group, each shown with this picture. */
import { useMemo } from "preact/hooks";
import type { GroupName } from "../../engine/core.ts";
import { GROUPS, groupTitle } from "../shared/groups.ts";
import { t } from "../shared/messages.ts";
import { changeDesign, draft } from "./history.ts";
import { PatternCanvas } from "./pattern-canvas.tsx";
import { shownSource } from "./upload.ts";

/** Of a preview: it shows few cells of a hexagonal group, so that one sees them. */
const FIELDS = { size: 96, hex_cells: "2x1" } as const;

/** Groups whose cell is no square or hexagon take other lattices; a new group begins with the plain one. */
const PLAIN_LATTICE = { ratio: 1, repeat: "straight" } as const;

export function Symmetry() {
  return (
    <section class="panel" aria-labelledby="symmetry">
      <h2 id="symmetry">{t("symmetry.title")}</h2>
      <div class="groups" role="radiogroup" aria-labelledby="symmetry">
        {GROUPS.map((group) => (
          <Choice key={group} group={group} />
        ))}
      </div>
    </section>
  );
}

function Choice({ group }: { readonly group: GroupName }) {
  const { design } = draft.value;
  const source = shownSource.value;
  const own = useMemo(() => ({ ...design, group, lattice: PLAIN_LATTICE }), [design, group]);
  return (
    <label class="choice">
      <input
        type="radio"
        name="group"
        checked={design.group === group}
        onChange={() => changeDesign({ group, lattice: PLAIN_LATTICE })}
      />
      <PatternCanvas lane={`preview ${group}`} fields={FIELDS} source={source} design={own} />
      <span>{groupTitle(group)}</span>
    </label>
  );
}
