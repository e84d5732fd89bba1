/** Twelve ideas for the picture, to choose one of: first the best motifs, then variations by chance. */
import { signal } from "@preact/signals";
import type { Static } from "typebox";
import type { Design } from "../../engine/core.ts";
import type { Ideas as IdeasSchema } from "../../server/actions/ideas.ts";
import { call } from "../shared/api.ts";
import { groupTitle } from "../shared/groups.ts";
import { t } from "../shared/messages.ts";
import { ContactSheet } from "./contact-sheet.tsx";
import { draft } from "./history.ts";
import { variation } from "./surprise.ts";
import { PLAIN } from "./symmetry.tsx";
import { tokenOf } from "./workspace.ts";

const COUNT = 12;

type Idea = Partial<Design> & Pick<Design, "group">;

/** Empty while the sheet is closed. */
const ideas = signal<readonly Idea[]>([]);

type Found = Static<typeof IdeasSchema>;

/** Counts requests, so that only the last one's answer is shown. */
let asked = 0;

/** Shows the best motifs of the picture; variations if the service finds none. */
async function open() {
  const { source } = draft.value;
  if (source === null) return draw();
  const request = ++asked;
  const options = { token: tokenOf(), json: { count: COUNT }, isRepeatable: true };
  const found = await call<Found>("POST", `sources/${source.id}/ideas`, options).catch(() => null);
  const isElsewhere = document.querySelector("dialog[open]") !== null;
  if (request !== asked || draft.value.source?.id !== source.id || isElsewhere) return;
  if (found === null) return draw();
  ideas.value = found.data.map(({ group, motif, seam }) => ({
    group,
    seam,
    ...PLAIN,
    motif: { ...draft.value.design.motif, ...motif },
  }));
}

const draw = () => {
  ideas.value = Array.from({ length: COUNT }, variation);
};

const forget = () => {
  ideas.value = [];
};

export function Ideas() {
  return (
    <>
      <button type="button" class="wide" onClick={open}>
        {t("ideas.open")}
      </button>
      {ideas.value.length > 0 && (
        <ContactSheet
          name="ideas"
          title={t("ideas.title")}
          variations={ideas.value.map((change, at) => ({
            change,
            label: t("ideas.one", { number: at + 1, group: groupTitle(change.group) }),
          }))}
          action={
            <button type="button" class="main" onClick={draw}>
              {t("ideas.more")}
            </button>
          }
          onClose={forget}
        />
      )}
    </>
  );
}
