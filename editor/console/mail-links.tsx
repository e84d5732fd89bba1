/** Pages for links in mail, and the one that asks for such a link. */
import { useSignal } from "@preact/signals";
import { call, send } from "../shared/api.ts";
import { attempt } from "../shared/attempt.ts";
import type { UserSession } from "../shared/session.ts";
import { PasswordField } from "./fields.tsx";
import { fieldsOf } from "./forms.ts";
import { hasMail, href } from "./places.ts";
import { open, request, session } from "./session.ts";

/** The token is in the fragment, which no request contains. */
const tokenInAddress = () => location.hash.slice(1);

export function ForgotPassword() {
  const sentTo = useSignal("");
  const submit = (event: SubmitEvent) => {
    const { email } = fieldsOf(event);
    void attempt("Asking for a link …", async () => {
      await send("POST", "auth/password-reset", { json: { email } });
      sentTo.value = email;
    });
  };
  return (
    <main class="narrow">
      <h1>Forgot your password?</h1>
      {!hasMail && <p>This service sends no mail. Its operator can set a new password for you.</p>}
      {hasMail && sentTo.value && (
        <p>
          If {sentTo.value} has an account, a link to set a new password is on its way. It works
          once, within an hour.
        </p>
      )}
      {hasMail && !sentTo.value && (
        <form class="field" onSubmit={submit}>
          <label>
            E-mail
            <input type="email" name="email" autocomplete="username" maxLength={254} required />
          </label>
          <button type="submit" class="main">
            Send a link
          </button>
        </form>
      )}
      <p>
        <a href={href("sign-in")}>Back to signing in</a>
      </p>
    </main>
  );
}

export function ResetPassword() {
  const submit = (event: SubmitEvent) => {
    const { password } = fieldsOf(event);
    const json = { token: tokenInAddress(), password };
    void attempt("Setting your password …", async () => {
      open(await call<UserSession>("POST", "auth/password-reset/confirm", { json }));
      location.assign(href("console/account"));
    });
  };
  return (
    <main class="narrow">
      <h1>Set a new password</h1>
      {tokenInAddress() === "" && <Incomplete />}
      <form class="field" onSubmit={submit}>
        <PasswordField label="New password" name="password" />
        <button type="submit" class="main">
          Set password
        </button>
      </form>
      <p>
        Was the link used already? <a href={href("forgot-password")}>Ask for another one</a>
      </p>
    </main>
  );
}

/** Not on load: programs that scan links open the page, too. */
export function VerifyEmail() {
  const isDone = useSignal(false);
  const verify = () =>
    void attempt("Verifying your address …", async () => {
      await send("POST", "auth/verify-email", { json: { token: tokenInAddress() } });
      isDone.value = true;
    });
  return (
    <main class="narrow">
      <h1>Verify your e-mail address</h1>
      {tokenInAddress() === "" && <Incomplete />}
      {isDone.value ? (
        <>
          <p>Your address is verified, and the credits of a new account are yours.</p>
          <p>
            <a class="button main" href={href(session.value ? "console/patterns" : "sign-in")}>
              {session.value ? "Go on" : "Sign in"}
            </a>
          </p>
        </>
      ) : (
        <button type="button" class="main" onClick={verify}>
          Verify
        </button>
      )}
    </main>
  );
}

/** In the account's own session: a stranger to whom the link went by mistake has none. */
export function ConfirmEmail() {
  const isDone = useSignal(false);
  const confirm = () =>
    void attempt("Changing your address …", async () => {
      await request("POST", "auth/email/confirm", { json: { token: tokenInAddress() } });
      isDone.value = true;
    });
  return (
    <main class="narrow">
      <h1>Confirm your new e-mail address</h1>
      {tokenInAddress() === "" && <Incomplete />}
      {isDone.value ? (
        <>
          <p>Your address is changed: sign in with the new one from now on.</p>
          <p>
            <a class="button main" href={href("console/account")}>
              Go on
            </a>
          </p>
        </>
      ) : (
        <>
          <p>The address that got this link becomes that of your account.</p>
          <button type="button" class="main" onClick={confirm}>
            Confirm
          </button>
        </>
      )}
    </main>
  );
}

const Incomplete = () => (
  <p>This address is incomplete. Open the whole link from the message, or copy it from there.</p>
);
