/** The buttons of the editor, with their keys. */
import { useEffect, useRef } from "preact/hooks";
import { t } from "../shared/messages.ts";
import { canRedo, canUndo, draft, isComparing, redo, undo } from "./history.ts";
import { onTwoFingerTap } from "./pointers.ts";
import { ShareLink } from "./share-link.tsx";
import { cancel, finish } from "./way-back.ts";
import { attempt, isBusy, savePattern, session } from "./workspace.ts";

export function Actions() {
  useEffect(() => {
    addEventListener("keydown", onKey);
    const stop = onTwoFingerTap(undo);
    return () => {
      removeEventListener("keydown", onKey);
      stop();
    };
  }, []);
  const opened = session.value;
  const isReady = draft.value.source !== null && !isBusy.value;
  // Buttons that cannot be used now keep the focus: whoever undoes the last step by keyboard stays there.
  return (
    <div class="actions">
      <button type="button" aria-disabled={!canUndo.value} onClick={undo}>
        {t("actions.undo")}
      </button>
      <button type="button" aria-disabled={!canRedo.value} onClick={redo}>
        {t("actions.redo")}
      </button>
      <Compare />
      {opened && "return_url" in opened ? (
        <>
          <button type="button" onClick={cancel}>
            {t("actions.cancel")}
          </button>
          <button
            type="button"
            class="main"
            aria-disabled={!isReady}
            onClick={() => isReady && finish()}
          >
            {t("actions.use")}
          </button>
        </>
      ) : (
        <>
          <ShareLink isReady={isReady} />
          <button
            type="button"
            class="main"
            aria-disabled={!isReady}
            onClick={() => isReady && save()}
          >
            {t("actions.save")}
          </button>
        </>
      )}
    </div>
  );
}

/** Milliseconds after which a press is a look, not a switch. */
const LOOK_MS = 400;

/** Shows the design before the last change: while it is pressed, or after a short press until the next. */
function Compare() {
  const since = useRef(0);
  return (
    <button
      type="button"
      aria-pressed={isComparing.value}
      aria-disabled={!canUndo.value}
      onPointerDown={() => {
        if (!canUndo.value) return;
        since.current = isComparing.value ? 0 : Date.now();
        isComparing.value = true;
      }}
      onClick={({ detail }) => {
        if (!canUndo.value) return;
        const isLook = since.current > 0 && Date.now() - since.current > LOOK_MS;
        // A click by keyboard has no pointer that went down before it.
        if (detail === 0) isComparing.value = !isComparing.value;
        else if (isLook || since.current === 0) isComparing.value = false;
      }}
    >
      {t("actions.compare")}
    </button>
  );
}

/** Control or command with Z, shift or Y. Text fields undo their own text. */
function onKey(event: KeyboardEvent): void {
  const { target, key, shiftKey } = event;
  const isText = target instanceof HTMLInputElement && /^(url|email|password)$/.test(target.type);
  if (!(event.ctrlKey || event.metaKey) || isText || !/^[zy]$/i.test(key)) return;
  event.preventDefault();
  if (key.toLowerCase() === "y" || shiftKey) redo();
  else undo();
}

const save = () =>
  void attempt(t("status.saving"), async () => {
    await savePattern();
  });
