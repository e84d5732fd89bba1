/** Ways into an account: signing in, signing up, and links in mail. */
import { call } from "../shared/api.ts";
import { attempt } from "../shared/attempt.ts";
import type { UserSession } from "../shared/session.ts";
import { SignInForm } from "../shared/sign-in-form.tsx";
import { PasswordField } from "./fields.tsx";
import { fieldsOf } from "./forms.ts";
import { hasMail, hasSignIn, hasSignUp, here, href } from "./places.ts";
import { open } from "./session.ts";

/** Where users begin after signing in. */
const FIRST = "console/patterns";

/** Asks for the password, at the page that needs a session or at its own address. */
export function SignIn() {
  if (!hasSignIn) return <Elsewhere />;
  const goOn = async (session: UserSession) => {
    if (here === "sign-in") location.assign(href(FIRST));
    else open(session);
  };
  return (
    <main class="narrow">
      <h1>Sign in</h1>
      <SignInForm onSignIn={goOn} />
      <p>
        {hasMail ? (
          <a href={href("forgot-password")}>Forgot your password?</a>
        ) : (
          "Forgot your password? Ask the operator of this service for a new one."
        )}
      </p>
      {hasSignUp && (
        <p>
          New here? <a href={href("sign-up")}>Create an account</a>
        </p>
      )}
    </main>
  );
}

export function SignUp() {
  if (!hasSignIn) return <Elsewhere />;
  if (!hasSignUp) {
    return (
      <main class="narrow">
        <h1>Create an account</h1>
        <p>Sign-up is closed: the operator of this service creates accounts.</p>
        <p>
          Have one already? <a href={href("sign-in")}>Sign in</a>
        </p>
      </main>
    );
  }
  const submit = (event: SubmitEvent) => {
    const json = fieldsOf(event);
    void attempt("Creating your account …", async () => {
      open(await call<UserSession>("POST", "auth/signup", { json }));
      location.assign(href(hasMail ? "console/account" : FIRST));
    });
  };
  return (
    <main class="narrow">
      <h1>Create an account</h1>
      <p>
        {hasMail
          ? "You get 100 credits once you have opened the link that we send to your address."
          : "You get 100 credits at once."}{" "}
        Making a source from a preset or a pattern costs 1; looking, rendering and printing are
        free.
      </p>
      <form class="field" onSubmit={submit}>
        <label>
          E-mail
          <input type="email" name="email" autocomplete="username" maxLength={254} required />
        </label>
        <PasswordField label="Password" name="password" />
        <button type="submit" class="main">
          Create account
        </button>
      </form>
      <p>
        Have one already? <a href={href("sign-in")}>Sign in</a>
      </p>
    </main>
  );
}

function Elsewhere() {
  return (
    <main class="narrow">
      <h1>Sign in</h1>
      <p>Users of this service sign in with another one. Ask its operator where.</p>
    </main>
  );
}
