/** The question whether a design that came from elsewhere shall be used: by a link, or in a picture. */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { status } from "../shared/attempt.ts";
import { t } from "../shared/messages.ts";
import { draft } from "./history.ts";

interface Offer {
  readonly title: string;
  readonly text: string;
  use(): void;
  /** Something else to do with it: its name, and what it does. */
  readonly other?: { readonly name: string; act(): void };
}

const offer = signal<Offer | null>(null);

/** Asks whether a design shall be used. */
export function offerDesign(offered: Offer): void {
  offer.value = offered;
}

export function OfferedDesign() {
  const dialog = useRef<HTMLDialogElement>(null);
  const { value } = offer;
  useEffect(() => {
    if (value !== null) dialog.current?.showModal();
  }, [value]);
  if (value === null) return null;
  const { title, text, use, other } = value;
  const close = () => dialog.current?.close();
  return (
    <dialog
      ref={dialog}
      class="panel offer"
      aria-labelledby="offer"
      onClose={() => {
        offer.value = null;
      }}
    >
      <h2 id="offer">{title}</h2>
      <p>{text}</p>
      <button
        type="button"
        class="main wide"
        onClick={() => {
          close();
          use();
          if (draft.value.source === null) status.value = t("status.choosePicture");
        }}
      >
        {t("offer.use")}
      </button>
      {other && (
        <button
          type="button"
          class="wide"
          onClick={() => {
            close();
            other.act();
          }}
        >
          {other.name}
        </button>
      )}
      <button type="button" class="wide" onClick={close}>
        {t("variations.keep")}
      </button>
    </dialog>
  );
}
