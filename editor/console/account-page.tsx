/** Settings of the account. */
import type { Account } from "../../server/actions/account-settings.ts";
import { attempt, status } from "../shared/attempt.ts";
import { DeleteAccount } from "./delete-account.tsx";
import { EmailChange } from "./email-change.tsx";
import { PasswordField } from "./fields.tsx";
import { fieldsOf } from "./forms.ts";
import { useLoaded } from "./loaded.ts";
import { hasMail, href } from "./places.ts";
import { PLANS } from "./plans.ts";
import { close, confirmed, open, request } from "./session.ts";

export function AccountPage() {
  const { value: account, reload } = useLoaded<Account>("account");
  return (
    <main class="page">
      <h1>Account</h1>
      {account && <Facts account={account} />}
      <EmailChange onChange={reload} />
      <PasswordChange />
      <section class="panel" aria-labelledby="sessions">
        <h2 id="sessions">Sessions</h2>
        <p>Signs out every browser, this one too. API keys keep working.</p>
        <button type="button" onClick={signOutEverywhere}>
          Sign out everywhere
        </button>
      </section>
      {account && <DeleteAccount account={account} />}
    </main>
  );
}

function Facts({ account }: { readonly account: Account }) {
  const resend = () =>
    void attempt("Asking for another link …", async () => {
      await request("POST", "auth/verify-email/resend");
    }).then(() => {
      status.value ||= `A link is on its way to ${account.email}.`;
    });
  return (
    <section class="panel" aria-labelledby="account">
      <h2 id="account">Your account</h2>
      <dl class="facts">
        <dt>E-mail</dt>
        <dd>
          {account.email}
          {hasMail && (account.email_verified ? ", verified" : ", not verified yet")}
        </dd>
        <dt>Plan</dt>
        <dd>{PLANS[account.plan]}</dd>
        <dt>Credits</dt>
        <dd>{account.credits.toLocaleString()}</dd>
        <dt>Since</dt>
        <dd>{new Date(account.created_at).toLocaleDateString()}</dd>
      </dl>
      {hasMail && !account.email_verified && (
        <>
          <p>Open the link that we sent to your address: a new account gets its credits then.</p>
          <button type="button" onClick={resend}>
            Send the link again
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
    void attempt("Changing your password …", async () => {
      open(await (await confirmed("auth/password", { current, new: password })).json());
      form.reset();
    }).then(() => {
      status.value ||= "Your password is changed, and other browsers are signed out.";
    });
  };
  return (
    <section class="panel" aria-labelledby="password">
      <h2 id="password">Password</h2>
      <form class="field" onSubmit={submit}>
        <label>
          Current password
          <input type="password" name="current" autocomplete="current-password" required />
        </label>
        <PasswordField label="New password" name="password" />
        <button type="submit">Change password</button>
      </form>
    </section>
  );
}

const signOutEverywhere = () =>
  void attempt("Signing out …", async () => {
    await request("POST", "auth/logout");
    close();
    location.assign(href("sign-in"));
  });
