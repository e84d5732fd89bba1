/** Twelve variations of the design, to choose one of. */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Design } from "../../engine/core.ts";
import { groupTitle } from "../shared/groups.ts";
import { t } from "../shared/messages.ts";
import { changeDesign, draft } from "./history.ts";
import { PatternCanvas } from "./pattern-canvas.tsx";
import { variation } from "./surprise.ts";
import { shownSource } from "./upload.ts";

const COUNT = 12;
const FIELDS = { size: 192, hex_cells: "2x1" } as const;

/** Empty while the sheet is closed. */
const ideas = signal<readonly Design[]>([]);

const draw = () => {
  const { design } = draft.value;
  ideas.value = Array.from({ length: COUNT }, () => ({ ...design, ...variation() }));
};

export function Ideas() {
  return (
    <>
      <button type="button" class="wide" onClick={draw}>
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
        {ideas.value.map((design, at) => (
          <button
            key={at}
            type="button"
            class="choice"
            aria-label={t("ideas.one", { number: at + 1, group: groupTitle(design.group) })}
            onClick={() => {
              changeDesign(design);
              close();
            }}
          >
            <PatternCanvas
              lane={`idea ${at}`}
              fields={FIELDS}
              source={shownSource.value}
              design={design}
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
