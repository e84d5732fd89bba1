/** Choice of the group, and of its counterchange, each shown with this picture. */
import { useMemo } from "preact/hooks";
import type { Counterchange, Design, GroupName } from "../../engine/core.ts";
import { GROUPS, groupTitle } from "../shared/groups.ts";
import { t } from "../shared/messages.ts";
import { changeDesign, draft } from "./history.ts";
import { PatternCanvas } from "./pattern-canvas.tsx";
import { shownSource } from "./upload.ts";
import { groups } from "./workspace.ts";

/** Of a preview: it shows few cells of a hexagonal group, so that one sees them. */
const FIELDS = { size: 96, hex_cells: "2x1" } as const;

/** What a group begins with: not each has others. */
export const PLAIN = {
  lattice: { ratio: 1, repeat: "straight" },
  counterchange: null,
} as const satisfies Partial<Design>;

export const Symmetry = () => (
  <section class="panel" aria-labelledby="symmetry">
    <h2 id="symmetry">{t("symmetry.title")}</h2>
    <div class="groups" role="radiogroup" aria-labelledby="symmetry">
      {GROUPS.map((group) => (
        <Choice
          key={group}
          name="group"
          title={groupTitle(group)}
          change={{ group, ...PLAIN }}
          isChosen={draft.value.design.group === group}
        />
      ))}
    </div>
  </section>
);

/** Nothing where no operation of the group can exchange colours. */
export function Counterchanges() {
  const { group, counterchange = null } = draft.value.design;
  const { counterchanges = [] } = groups.value.find(({ name }) => name === group) ?? {};
  if (counterchanges.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="counterchanges">
      <h2 id="counterchanges">{t("symmetry.negative")}</h2>
      <div class="groups" role="radiogroup" aria-labelledby="counterchanges">
        {[null, ...counterchanges].map((one) => (
          <Choice
            key={one}
            name="counterchange"
            title={one === null ? t("symmetry.noNegative") : twoColourTitle(group, one)}
            change={{ counterchange: one }}
            isChosen={counterchange === one}
          />
        ))}
      </div>
    </section>
  );
}

/** Returns the symbol of a two-colour group, such as "p4m/p4g". */
export function twoColourTitle(group: GroupName, counterchange: Counterchange): string {
  if (counterchange === "pm_across") return t("symmetry.across");
  if (counterchange === "pm_along") return t("symmetry.along");
  return `${group}/${counterchange}`;
}

interface ChoiceProps {
  /** Of its radio group. */
  readonly name: string;
  readonly title: string;
  readonly change: Partial<Design>;
  readonly isChosen: boolean;
}

function Choice({ name, title, change, isChosen }: ChoiceProps) {
  const { design } = draft.value;
  const key = JSON.stringify(change);
  const own = useMemo(() => ({ ...design, ...(JSON.parse(key) as typeof change) }), [design, key]);
  return (
    <label class="choice">
      <input type="radio" name={name} checked={isChosen} onChange={() => changeDesign(change)} />
      <PatternCanvas
        lane={`preview ${key}`}
        fields={FIELDS}
        source={shownSource.value}
        design={own}
      />
      <span>{title}</span>
    </label>
  );
}
