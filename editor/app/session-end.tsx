/** The end of a session while someone designs. The design is kept: for the user, or for the shop's next session. */
import { computed, effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { endedToken } from "../shared/api.ts";
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
    return (
      <LinkProblem
        title="Your visit has ended"
        reason="your design is kept in this browser: open the editor from the shop once more and choose your picture again"
      />
    );
  }
  return (
    <main class="narrow">
      <h2>Your session has ended</h2>
      <p>Your design is kept. Sign in again to go on with it.</p>
      <SignInForm onSignIn={async () => location.reload()} />
    </main>
  );
}

effect(() => {
  if (!hasEnded.value || session.value === null) return;
  const present = draft.peek();
  keepForNextSession(session.value, present === FIRST_DRAFT ? null : present);
});
