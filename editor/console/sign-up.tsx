/** Ways into an account: signing in, signing up, and links in mail. */
import { call } from "../shared/api.ts";
import { attempt } from "../shared/attempt.ts";
import { t } from "../shared/messages.ts";
import { inWords } from "../shared/problem-words.ts";
import type { UserSession } from "../shared/session.ts";
import { SignInForm } from "../shared/sign-in-form.tsx";
import { PasswordField } from "./fields.tsx";
import { fieldsOf } from "./forms.ts";
import { hasMail, hasSignIn, hasSignUp, here, href } from "./places.ts";
import { rich } from "./rich.ts";
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
      <h1>{t("signIn.submit")}</h1>
      <SignInForm onSignIn={goOn} />
      <p>
        {hasMail ? (
          <a href={href("forgot-password")}>{t("signIn.forgot")}</a>
        ) : (
          t("signIn.askOperator")
        )}
      </p>
      {hasSignUp && (
        <p>{rich("signIn.new", { link: <a href={href("sign-up")}>{t("signUp.title")}</a> })}</p>
      )}
    </main>
  );
}

export function SignUp() {
  if (!hasSignIn) return <Elsewhere />;
  if (!hasSignUp) {
    return (
      <main class="narrow">
        <h1>{t("signUp.title")}</h1>
        <p>{t("signUp.closed")}</p>
        <HaveOne />
      </main>
    );
  }
  const submit = (event: SubmitEvent) => {
    const json = fieldsOf(event);
    const signUp = async () => {
      open(await call<UserSession>("POST", "auth/signup", { json }));
      location.assign(href(hasMail ? "console/account" : FIRST));
    };
    const explain = (error: unknown) => inWords(error, { conflict: "problem.emailTaken" });
    void attempt({ name: t("signUp.creating"), explain }, signUp);
  };
  return (
    <main class="narrow">
      <h1>{t("signUp.title")}</h1>
      <p>
        {t(hasMail ? "signUp.creditsByMail" : "signUp.credits")} {t("signUp.costs")}
      </p>
      <form class="field" onSubmit={submit}>
        <label>
          {t("signIn.email")}
          <input type="email" name="email" autocomplete="username" maxLength={254} required />
        </label>
        <PasswordField label={t("signIn.password")} name="password" />
        <button type="submit" class="main">
          {t("signUp.submit")}
        </button>
      </form>
      <HaveOne />
    </main>
  );
}

const HaveOne = () => (
  <p>{rich("signUp.have", { link: <a href={href("sign-in")}>{t("signIn.submit")}</a> })}</p>
);

function Elsewhere() {
  return (
    <main class="narrow">
      <h1>{t("signIn.submit")}</h1>
      <p>{t("signIn.elsewhere")}</p>
    </main>
  );
}
