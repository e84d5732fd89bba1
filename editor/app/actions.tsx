/** The buttons of the editor, with their keys. */
import { useEffect } from "preact/hooks";
import { call } from "../shared/api.ts";
import { canRedo, canUndo, draft, redo, undo } from "./history.ts";
import { attempt, isBusy, savePattern, session, tokenOf } from "./workspace.ts";

export function Actions() {
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const opened = session.value;
  const isReady = draft.value.source !== null && !isBusy.value;
  return (
    <div class="actions">
      <button type="button" disabled={!canUndo.value} onClick={undo}>
        Undo
      </button>
      <button type="button" disabled={!canRedo.value} onClick={redo}>
        Redo
      </button>
      {opened && "return_url" in opened ? (
        <>
          <button type="button" onClick={() => location.assign(opened.return_url)}>
            Cancel
          </button>
          <button type="button" class="main" disabled={!isReady} onClick={finish}>
            Use this pattern
          </button>
        </>
      ) : (
        <button type="button" class="main" disabled={!isReady} onClick={save}>
          Save pattern
        </button>
      )}
    </div>
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
  void attempt("Saving …", async () => {
    await savePattern();
  });

/** Returns to the shop with the pattern. */
const finish = () =>
  void attempt("Finishing …", async () => {
    const json = { pattern_id: await savePattern() };
    const options = { token: tokenOf(), json };
    const done = await call<{ redirect_url: string }>("POST", "embed/finish", options);
    location.assign(done.redirect_url);
  });
