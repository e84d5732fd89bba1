/** An account as operators see it, and what they can do to it. */
import { useSignal } from "@preact/signals";
import type { AccountDetails } from "../../server/actions/operator.ts";
import { formatNumber, t } from "../shared/messages.ts";
import { CreditHistory } from "./credit-history.tsx";
import { useLoaded } from "./loaded.ts";
import { Moment } from "./moments.tsx";
import { OperatorActions } from "./operator-actions.tsx";
import { OperatorForms } from "./operator-forms.tsx";
import { here, href } from "./places.ts";
import { Quotas } from "./quotas.tsx";
import { SpentCredits } from "./spent-credits.tsx";

export function AnyAccountPage() {
  const id = Number(here.split("/").at(-1));
  const path = `operator/accounts/${id}`;
  const { value: account, reload } = useLoaded<AccountDetails>(path);
  /** Counts what was done here, so that the lists are loaded again. */
  const done = useSignal(0);
  const onChange = async () => {
    done.value++;
    await reload();
  };
  return (
    <main class="page">
      <p>
        <a href={href("console/accounts")}>{t("accounts.title")}</a>
      </p>
      <h1>{account ? account.email : t("accounts.number", { id: String(id) })}</h1>
      {account && (
        <>
          <Facts account={account} />
          <OperatorForms account={account} onChange={onChange} />
          <SpentCredits of={path} />
          <CreditHistory of={path} done={done.value} />
          <Quotas account={account} />
          <OperatorActions account={id} done={done.value} />
        </>
      )}
    </main>
  );
}

function Facts({ account }: { readonly account: AccountDetails }) {
  const { id, email, email_verified, role, plan, credits, frozen } = account;
  return (
    <section class="panel" aria-labelledby="facts">
      <h2 id="facts">{t("accounts.number", { id: String(id) })}</h2>
      <dl class="facts">
        <dt>{t("signIn.email")}</dt>
        <dd>{t(email_verified ? "account.verified" : "accounts.unverified", { email })}</dd>
        <dt>{t("accounts.state")}</dt>
        <dd>
          {frozen ? <span class="state failed">{t("state.frozen")}</span> : t("state.active")}
        </dd>
        <dt>{t("accounts.role")}</dt>
        <dd>{t(`role.${role}`)}</dd>
        <dt>{t("account.plan")}</dt>
        <dd>{t(`plan.${plan}`)}</dd>
        <dt>{t("account.credits")}</dt>
        <dd>{formatNumber(credits)}</dd>
        <dt>{t("accounts.created")}</dt>
        <dd>
          <Moment at={account.created_at} />
        </dd>
        <dt>{t("accounts.lastUsed")}</dt>
        <dd>{account.last_used_at ? <Moment at={account.last_used_at} /> : t("accounts.never")}</dd>
      </dl>
    </section>
  );
}
