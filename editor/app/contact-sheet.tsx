/** A sheet of variations of the design, as pictures to choose one of. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Design } from "../../engine/core.ts";
import { t } from "../shared/messages.ts";
import { changeDesign, draft } from "./history.ts";
import { PatternCanvas } from "./pattern-canvas.tsx";
import { shownSource } from "./upload.ts";

const FIELDS = { size: 192, hex_cells: "2x1" } as const;

/** A design, by what it changes. */
export interface Variation {
  readonly change: Partial<Design>;
  readonly label: string;
  /** Whether the design has it already. */
  readonly isChosen?: boolean;
}

export interface ContactSheetProps {
  /** Tells its pictures from those of other sheets. */
  readonly name: string;
  readonly title: string;
  readonly variations: readonly Variation[];
  /** Whether labels are shown under the pictures. */
  readonly hasCaptions?: boolean;
  /** Below the pictures. */
  readonly children?: (close: () => void) => ComponentChildren;
  /** Beside the button that closes the sheet. */
  readonly action?: ComponentChildren;
  readonly onClose: () => void;
}

export function ContactSheet(props: ContactSheetProps) {
  const { name, title, variations, hasCaptions, children, action, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  // The focus goes back to where it was.
  const close = () => dialog.current?.close();
  return (
    <dialog ref={dialog} class="contact-sheet" aria-labelledby={name} onClose={onClose}>
      <h2 id={name}>{title}</h2>
      <div class="thumbnails">
        {variations.map(({ change, label, isChosen }, at) => (
          <button
            key={at}
            type="button"
            class="choice"
            aria-label={label}
            aria-pressed={isChosen}
            onClick={() => {
              changeDesign(change);
              close();
            }}
          >
            <PatternCanvas
              lane={`${name} ${at}`}
              fields={FIELDS}
              source={shownSource.value}
              design={{ ...draft.value.design, ...change }}
            />
            {hasCaptions && label}
          </button>
        ))}
      </div>
      {children?.(close)}
      <div class="zoom">
        <button type="button" onClick={close}>
          {t("variations.keep")}
        </button>
        {action}
      </div>
    </dialog>
  );
}
