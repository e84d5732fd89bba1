/** Choice of the group, each shown with this picture. */
import { useMemo } from "preact/hooks";
import type { GroupName } from "../../engine/core.ts";
import { GROUPS, groupTitle } from "../shared/groups.ts";
import { changeDesign, draft } from "./history.ts";
import { PatternCanvas } from "./pattern-canvas.tsx";

/** Edge of a preview in pixels. It shows few cells of a hexagonal group, so that one sees them. */
const PREVIEW = 96;

/** Groups whose cell is no square or hexagon take other lattices; a new group begins with the plain one. */
const PLAIN_LATTICE = { ratio: 1, repeat: "straight" } as const;

export function Symmetry() {
  return (
    <section class="panel" aria-labelledby="symmetry">
      <h2 id="symmetry">Symmetry</h2>
      <div class="groups" role="radiogroup" aria-labelledby="symmetry">
        {GROUPS.map((group) => (
          <Choice key={group} group={group} />
        ))}
      </div>
    </section>
  );
}

function Choice({ group }: { readonly group: GroupName }) {
  const { source, design } = draft.value;
  const own = useMemo(() => ({ ...design, group, lattice: PLAIN_LATTICE }), [design, group]);
  return (
    <label class="choice">
      <input
        type="radio"
        name="group"
        checked={design.group === group}
        onChange={() => changeDesign({ group, lattice: PLAIN_LATTICE })}
      />
      <PatternCanvas
        lane={`preview ${group}`}
        size={PREVIEW}
        hexCells="2x1"
        source={source}
        design={own}
      />
      <span>{groupTitle(group)}</span>
    </label>
  );
}
