import { useEffect } from "preact/hooks";
import { t } from "../shared/messages.ts";
import { SignInForm } from "../shared/sign-in-form.tsx";
import { openWorkspace } from "./workspace.ts";

/** The form for users. A shop's customers come with a link. */
export function SignIn() {
  // The focus goes with the form.
  useEffect(() => () => document.querySelector("h1")?.focus(), []);
  return (
    <main class="narrow">
      <p>{t("signIn.intro")}</p>
      <SignInForm onSignIn={openWorkspace} />
    </main>
  );
}
