/** A question before what cannot be undone. */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../shared/messages.ts";

interface Question {
  readonly text: string;
  /** What happens, as the name of the button. */
  readonly verb: string;
  readonly act: () => void;
}

const question = signal<Question | null>(null);

/** Asks, and acts if the user agrees. */
export function confirm(text: string, verb: string, act: () => void): void {
  question.value = { text, verb, act };
}

/** Where questions appear; a page has one. */
export function Confirmation() {
  const dialog = useRef<HTMLDialogElement>(null);
  const asked = question.value;
  useEffect(() => {
    if (asked !== null) dialog.current?.showModal();
  }, [asked]);
  const close = () => {
    question.value = null;
  };
  if (asked === null) return null;
  return (
    <dialog ref={dialog} class="panel" aria-labelledby="question" onClose={close}>
      <form
        method="dialog"
        onSubmit={({ submitter }) => {
          if ((submitter as HTMLButtonElement | null)?.value === "yes") asked.act();
        }}
      >
        <p id="question">{asked.text}</p>
        <p class="ways">
          <button type="submit" value="yes" class="main">
            {asked.verb}
          </button>
          <button type="submit" value="no">
            {t("shell.cancel")}
          </button>
        </p>
      </form>
    </dialog>
  );
}
