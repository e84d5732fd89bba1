/** Twelve ideas for the picture, to choose one of: first the best motifs, then variations by chance. */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Static } from "typebox";
import type { Design } from "../../engine/core.ts";
import type { Ideas as IdeasSchema } from "../../server/actions/ideas.ts";
import { call } from "../shared/api.ts";
import { groupTitle } from "../shared/groups.ts";
import { t } from "../shared/messages.ts";
import { changeDesign, draft } from "./history.ts";
import { PatternCanvas } from "./pattern-canvas.tsx";
import { variation } from "./surprise.ts";
import { shownSource } from "./upload.ts";
import { tokenOf } from "./workspace.ts";

const COUNT = 12;
const STRAIGHT = { ratio: 1, repeat: "straight" } as const;
const FIELDS = { size: 192, hex_cells: "2x1" } as const;

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
  if (request !== asked || draft.value.source?.id !== source.id) return;
  if (found === null) return draw();
  ideas.value = found.data.map(({ group, motif, seam }) => ({
    group,
    seam,
    lattice: STRAIGHT,
    motif: { ...draft.value.design.motif, ...motif },
  }));
}

const draw = () => {
  ideas.value = Array.from({ length: COUNT }, variation);
};

export function Ideas() {
  return (
    <>
      <button type="button" class="wide" onClick={open}>
        {t("ideas.open")}
      </button>
      {ideas.value.length > 0 && <ContactSheet />}
    </>
  );
}

const forget = () => {
  ideas.value = [];
};

function ContactSheet() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  // The focus goes back to where it was.
  const close = () => dialog.current?.close();
  return (
    <dialog ref={dialog} class="ideas" aria-labelledby="ideas" onClose={forget}>
      <h2 id="ideas">{t("ideas.title")}</h2>
      <div class="thumbnails">
        {ideas.value.map((idea, at) => (
          <button
            key={at}
            type="button"
            class="choice"
            aria-label={t("ideas.one", {
              number: at + 1,
              group: groupTitle(idea.group),
            })}
            onClick={() => {
              changeDesign(idea);
              close();
            }}
          >
            <PatternCanvas
              lane={`idea ${at}`}
              fields={FIELDS}
              source={shownSource.value}
              design={{ ...draft.value.design, ...idea }}
            />
          </button>
        ))}
      </div>
      <div class="zoom">
        <button type="button" onClick={close}>
          {t("ideas.keep")}
        </button>
        <button type="button" class="main" onClick={draw}>
          {t("ideas.more")}
        </button>
      </div>
    </dialog>
  );
}
