import { useEffect } from "preact/hooks";
import { SignInForm } from "../shared/sign-in-form.tsx";
import { openWorkspace } from "./workspace.ts";

/** The form for users. A shop's customers come with a link. */
export function SignIn() {
  // The focus goes with the form.
  useEffect(() => () => document.querySelector("h1")?.focus(), []);
  return (
    <main class="narrow">
      <p>
        A shop opens this page for one of its products. With an account you can design here for
        yourself.
      </p>
      <SignInForm onSignIn={openWorkspace} />
    </main>
  );
}
