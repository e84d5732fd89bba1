import { useEffect } from "preact/hooks";
import { ApiError } from "../shared/api.ts";
import { t } from "../shared/messages.ts";
import { SignInForm } from "../shared/sign-in-form.tsx";
import { problemInWords } from "./problem-words.ts";
import { openWorkspace } from "./workspace.ts";

/** The form for users. A shop's customers come with a link. */
export function SignIn() {
  // The focus goes with the form.
  useEffect(() => () => document.querySelector("h1")?.focus(), []);
  return (
    <main class="narrow">
      <p>{t("signIn.intro")}</p>
      <SignInForm onSignIn={openWorkspace} explain={whyNotSignedIn} />
    </main>
  );
}

const whyNotSignedIn = (error: unknown) =>
  error instanceof ApiError && error.code === "unauthorized"
    ? t("problem.password")
    : problemInWords(error);
