import { attempt } from "./attempt.ts";
import { t } from "./messages.ts";
import { inWords } from "./problem-words.ts";
import { signIn, type UserSession } from "./session.ts";

export interface SignInFormProps {
  /** Called with the session, which the tab keeps. */
  readonly onSignIn: (session: UserSession) => Promise<void>;
}

/** The form for users. */
export function SignInForm({ onSignIn }: SignInFormProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.target as HTMLFormElement);
    const enter = async () =>
      onSignIn(await signIn(String(fields.get("email")), String(fields.get("password"))));
    const explain = (error: unknown) => inWords(error, { unauthorized: "problem.password" });
    void attempt({ name: t("status.signingIn"), explain }, enter);
  };
  return (
    <form class="field" onSubmit={submit}>
      <label>
        {t("signIn.email")}
        <input type="email" name="email" autocomplete="username" required />
      </label>
      <label>
        {t("signIn.password")}
        <input type="password" name="password" autocomplete="current-password" required />
      </label>
      <button type="submit" class="main">
        {t("signIn.submit")}
      </button>
    </form>
  );
}
