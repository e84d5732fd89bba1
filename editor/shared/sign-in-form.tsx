import { attempt } from "./attempt.ts";
import { t } from "./messages.ts";
import { signIn, type UserSession } from "./session.ts";

export interface SignInFormProps {
  /** Called with the session, which the tab keeps. */
  readonly onSignIn: (session: UserSession) => Promise<void>;
  /** Returns what is shown of an error. */
  readonly explain?: (error: unknown) => string;
}

/** The form for users. */
export function SignInForm({ onSignIn, explain }: SignInFormProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.target as HTMLFormElement);
    const enter = async () =>
      onSignIn(await signIn(String(fields.get("email")), String(fields.get("password"))));
    void attempt(t("status.signingIn"), enter, explain);
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
