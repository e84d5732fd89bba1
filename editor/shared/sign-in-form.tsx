import { attempt } from "./attempt.ts";
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
    void attempt("Signing in …", async () =>
      onSignIn(await signIn(String(fields.get("email")), String(fields.get("password")))),
    );
  };
  return (
    <form class="field" onSubmit={submit}>
      <label>
        E-mail
        <input type="email" name="email" autocomplete="username" required />
      </label>
      <label>
        Password
        <input type="password" name="password" autocomplete="current-password" required />
      </label>
      <button type="submit" class="main">
        Sign in
      </button>
    </form>
  );
}
