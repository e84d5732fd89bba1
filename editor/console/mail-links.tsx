/** Pages for links in mail, and the one that asks for such a link. */
import { useSignal } from "@preact/signals";
import { call, send } from "../shared/api.ts";
import { attempt } from "../shared/attempt.ts";
import { t } from "../shared/messages.ts";
import { inWords } from "../shared/problem-words.ts";
import type { UserSession } from "../shared/session.ts";
import { PasswordField } from "./fields.tsx";
import { fieldsOf } from "./forms.ts";
import { hasMail, href } from "./places.ts";
import { rich } from "./rich.ts";
import { open, request, session } from "./session.ts";

/** The token is in the fragment, which no request contains. */
const tokenInAddress = () => location.hash.slice(1);

/** Runs work with the token, and says where it is none of an open link. */
const attemptWithToken = (name: string, work: () => Promise<void>) =>
  attempt({ name, explain: (error) => inWords(error, { not_found: "problem.mailLink" }) }, work);

export function ForgotPassword() {
  const sentTo = useSignal("");
  const submit = (event: SubmitEvent) => {
    const { email } = fieldsOf(event);
    void attempt(t("forgot.sending"), async () => {
      await send("POST", "auth/password-reset", { json: { email } });
      sentTo.value = email;
    });
  };
  return (
    <main class="narrow">
      <h1>{t("signIn.forgot")}</h1>
      {!hasMail && <p>{t("forgot.noMail")}</p>}
      {hasMail && sentTo.value && <p>{t("forgot.sent", { email: sentTo.value })}</p>}
      {hasMail && !sentTo.value && (
        <form class="field" onSubmit={submit}>
          <label>
            {t("signIn.email")}
            <input type="email" name="email" autocomplete="username" maxLength={254} required />
          </label>
          <button type="submit" class="main">
            {t("forgot.send")}
          </button>
        </form>
      )}
      <p>
        <a href={href("sign-in")}>{t("forgot.back")}</a>
      </p>
    </main>
  );
}

export function ResetPassword() {
  const submit = (event: SubmitEvent) => {
    const { password } = fieldsOf(event);
    const json = { token: tokenInAddress(), password };
    void attemptWithToken(t("reset.setting"), async () => {
      open(await call<UserSession>("POST", "auth/password-reset/confirm", { json }));
      location.assign(href("console/account"));
    });
  };
  return (
    <main class="narrow">
      <h1>{t("reset.title")}</h1>
      {tokenInAddress() === "" && <Incomplete />}
      <form class="field" onSubmit={submit}>
        <PasswordField label={t("password.new")} name="password" />
        <button type="submit" class="main">
          {t("reset.submit")}
        </button>
      </form>
      <p>
        {rich("reset.used", {
          link: <a href={href("forgot-password")}>{t("reset.another")}</a>,
        })}
      </p>
    </main>
  );
}

/** Not on load: programs that scan links open the page, too. */
export function VerifyEmail() {
  const isDone = useSignal(false);
  const verify = () =>
    void attemptWithToken(t("verify.verifying"), async () => {
      await send("POST", "auth/verify-email", { json: { token: tokenInAddress() } });
      isDone.value = true;
    });
  return (
    <main class="narrow">
      <h1>{t("verify.title")}</h1>
      {tokenInAddress() === "" && <Incomplete />}
      {isDone.value ? (
        <>
          <p>{t("verify.done")}</p>
          <p>
            <a class="button main" href={href(session.value ? "console/patterns" : "sign-in")}>
              {t(session.value ? "mailLink.goOn" : "signIn.submit")}
            </a>
          </p>
        </>
      ) : (
        <button type="button" class="main" onClick={verify}>
          {t("verify.submit")}
        </button>
      )}
    </main>
  );
}

/** In the account's own session: a stranger to whom the link went by mistake has none. */
export function ConfirmEmail() {
  const isDone = useSignal(false);
  const confirm = () =>
    void attemptWithToken(t("email.changing"), async () => {
      await request("POST", "auth/email/confirm", { json: { token: tokenInAddress() } });
      isDone.value = true;
    });
  return (
    <main class="narrow">
      <h1>{t("confirmEmail.title")}</h1>
      {tokenInAddress() === "" && <Incomplete />}
      {isDone.value ? (
        <>
          <p>{t("confirmEmail.done")}</p>
          <p>
            <a class="button main" href={href("console/account")}>
              {t("mailLink.goOn")}
            </a>
          </p>
        </>
      ) : (
        <>
          <p>{t("confirmEmail.text")}</p>
          <button type="button" class="main" onClick={confirm}>
            {t("confirmEmail.submit")}
          </button>
        </>
      )}
    </main>
  );
}

const Incomplete = () => <p>{t("mailLink.incomplete")}</p>;
