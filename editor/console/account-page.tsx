/** Settings of the account. */
import type { Account } from "../../server/actions/account-settings.ts";
import { attempt, status } from "../shared/attempt.ts";
import { formatDate, formatNumber, t } from "../shared/messages.ts";
import { DeleteAccount } from "./delete-account.tsx";
import { EmailChange } from "./email-change.tsx";
import { PasswordField } from "./fields.tsx";
import { fieldsOf } from "./forms.ts";
import { useLoaded } from "./loaded.ts";
import { hasMail, href } from "./places.ts";
import { close, confirmed, open, request } from "./session.ts";

export function AccountPage() {
  const { value: account, reload } = useLoaded<Account>("account");
  return (
    <main class="page">
      <h1>{t("account.title")}</h1>
      {account && <Facts account={account} />}
      <EmailChange onChange={reload} />
      <PasswordChange />
      <section class="panel" aria-labelledby="sessions">
        <h2 id="sessions">{t("sessions.title")}</h2>
        <p>{t("sessions.text")}</p>
        <button type="button" onClick={signOutEverywhere}>
          {t("sessions.submit")}
        </button>
      </section>
      {account && <DeleteAccount account={account} />}
    </main>
  );
}

function Facts({ account }: { readonly account: Account }) {
  const resend = () =>
    void attempt(t("account.resending"), async () => {
      await request("POST", "auth/verify-email/resend");
      status.value = t("account.linkSent", { email: account.email });
    });
  const { email, email_verified, plan, credits, created_at } = account;
  return (
    <section class="panel" aria-labelledby="account">
      <h2 id="account">{t("account.yours")}</h2>
      <dl class="facts">
        <dt>{t("signIn.email")}</dt>
        <dd>
          {hasMail
            ? t(email_verified ? "account.verified" : "account.unverified", { email })
            : email}
        </dd>
        <dt>{t("account.plan")}</dt>
        <dd>{t(`plan.${plan}`)}</dd>
        <dt>{t("account.credits")}</dt>
        <dd>{formatNumber(credits)}</dd>
        <dt>{t("account.since")}</dt>
        <dd>{formatDate(created_at, { dateStyle: "medium" })}</dd>
      </dl>
      {hasMail && !email_verified && (
        <>
          <p>{t("account.openLink")}</p>
          <button type="button" onClick={resend}>
            {t("account.resend")}
          </button>
        </>
      )}
    </section>
  );
}

function PasswordChange() {
  const submit = (event: SubmitEvent) => {
    const { current, password } = fieldsOf(event);
    const form = event.target as HTMLFormElement;
    void attempt(t("password.changing"), async () => {
      open(await (await confirmed("auth/password", { current, new: password })).json());
      form.reset();
      status.value = t("password.changed");
    });
  };
  return (
    <section class="panel" aria-labelledby="password">
      <h2 id="password">{t("signIn.password")}</h2>
      <form class="field" onSubmit={submit}>
        <label>
          {t("password.current")}
          <input type="password" name="current" autocomplete="current-password" required />
        </label>
        <PasswordField label={t("password.new")} name="password" />
        <button type="submit">{t("password.submit")}</button>
      </form>
    </section>
  );
}

const signOutEverywhere = () =>
  void attempt(t("sessions.ending"), async () => {
    await request("POST", "auth/logout");
    close();
    location.assign(href("sign-in"));
  });
