/** An account as operators see it, and what they can do to it. */
import { useSignal } from "@preact/signals";
import type { AccountDetails } from "../../server/actions/operator.ts";
import { CreditHistory } from "./credit-history.tsx";
import { useLoaded } from "./loaded.ts";
import { Moment } from "./moments.tsx";
import { OperatorActions } from "./operator-actions.tsx";
import { OperatorForms } from "./operator-forms.tsx";
import { here, href } from "./places.ts";
import { PLANS } from "./plans.ts";
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
        <a href={href("console/accounts")}>All accounts</a>
      </p>
      <h1>{account ? account.email : `Account ${id}`}</h1>
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
      <h2 id="facts">Account {id}</h2>
      <dl class="facts">
        <dt>E-mail</dt>
        <dd>
          {email}, {email_verified ? "verified" : "not verified"}
        </dd>
        <dt>State</dt>
        <dd>{frozen ? <span class="state failed">Frozen</span> : "Active"}</dd>
        <dt>Role</dt>
        <dd>{role === "operator" ? "Operator" : "Owner"}</dd>
        <dt>Plan</dt>
        <dd>{PLANS[plan]}</dd>
        <dt>Credits</dt>
        <dd>{credits.toLocaleString()}</dd>
        <dt>Created</dt>
        <dd>
          <Moment at={account.created_at} />
        </dd>
        <dt>Last used</dt>
        <dd>{account.last_used_at ? <Moment at={account.last_used_at} /> : "never"}</dd>
      </dl>
    </section>
  );
}
