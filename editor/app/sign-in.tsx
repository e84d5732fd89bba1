import { signIn } from "./session.ts";
import { attempt, openWorkspace } from "./workspace.ts";

/** The form for users. A shop's customers come with a link. */
export function SignIn() {
  return (
    <main class="narrow">
      <p>
        A shop opens this page for one of its products. With an account you can design here for
        yourself.
      </p>
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
    </main>
  );
}

function submit(event: SubmitEvent): void {
  event.preventDefault();
  const fields = new FormData(event.target as HTMLFormElement);
  void attempt("Signing in …", async () => {
    const opened = await signIn(String(fields.get("email")), String(fields.get("password")));
    await openWorkspace(opened);
  });
}
