/** The end of a session while someone designs. The design is kept: for the user, or for the shop's next session. */
import { computed, effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { endedToken } from "../shared/api.ts";
import { t } from "../shared/messages.ts";
import { SignInForm } from "../shared/sign-in-form.tsx";
import { FIRST_DRAFT } from "./draft.ts";
import { draft } from "./history.ts";
import { keepForNextSession } from "./kept-designs.ts";
import { LinkProblem } from "./link-problem.tsx";
import { session } from "./workspace.ts";

/** Whether the service has said that the session is over. */
export const hasEnded = computed(
  () => session.value !== null && session.value.token === endedToken.value,
);

export function SessionEnd() {
  // What had the focus is gone.
  useEffect(() => document.querySelector("h1")?.focus(), []);
  if (session.value !== null && "return_url" in session.value) {
    return <LinkProblem title={t("session.visitEnded")} reason={t("session.visitKept")} />;
  }
  return (
    <main class="narrow">
      <h2>{t("session.ended")}</h2>
      <p>{t("session.kept")}</p>
      <SignInForm onSignIn={async () => location.reload()} />
    </main>
  );
}

effect(() => {
  if (!hasEnded.value || session.value === null) return;
  const present = draft.peek();
  keepForNextSession(session.value, present === FIRST_DRAFT ? null : present);
});
