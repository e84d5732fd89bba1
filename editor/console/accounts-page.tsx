/** All accounts, for operators. */
import { useSignal } from "@preact/signals";
import type { AccountSummary } from "../../server/actions/operator.ts";
import { SelectField } from "./fields.tsx";
import { Moment } from "./moments.tsx";
import { OperatorActions } from "./operator-actions.tsx";
import { ShowMore } from "./paged.tsx";
import { href } from "./places.ts";
import { PLANS } from "./plans.ts";
import { Search, useSearched } from "./searched.tsx";

/** By the values of the API's parameter. */
const STATES = { "": "All", false: "Active", true: "Frozen" };

export function AccountsPage() {
  const plan = useSignal("");
  const frozen = useSignal("");
  const accounts = useSearched<AccountSummary>("operator/accounts", {
    plan: plan.value,
    frozen: frozen.value,
  });
  return (
    <main class="page">
      <h1>All accounts</h1>
      <div class="filters">
        <Search label="Search by e-mail or number" onSearch={accounts.search} />
        <div class="inline">
          <SelectField label="Plan" chosen={plan} titles={{ "": "All plans", ...PLANS }} />
          <SelectField label="State" chosen={frozen} titles={STATES} />
        </div>
      </div>
      <section class="panel" aria-labelledby="accounts">
        <h2 id="accounts">Accounts</h2>
        {accounts.rows?.length === 0 && <p>No account is like this.</p>}
        <ul class="rows">
          {accounts.rows?.map((account) => (
            <Row key={account.id} account={account} />
          ))}
        </ul>
        <ShowMore list={accounts} what="accounts" />
      </section>
      <OperatorActions />
    </main>
  );
}

function Row({ account }: { readonly account: AccountSummary }) {
  const { id, email, role, plan, credits, frozen, created_at, last_used_at } = account;
  return (
    <li>
      <div>
        <a href={href(`console/accounts/${id}`)}>
          <strong>{email}</strong>
        </a>{" "}
        {frozen && <span class="state failed">Frozen</span>}{" "}
        {role === "operator" && <span class="state">Operator</span>}
        <p class="note">
          Account {id}, created <Moment at={created_at} />,{" "}
          {last_used_at ? (
            <>
              last used <Moment at={last_used_at} />
            </>
          ) : (
            "never used"
          )}
          .
        </p>
      </div>
      <span class="amount">
        {PLANS[plan]}, {credits.toLocaleString()} {credits === 1 ? "credit" : "credits"}
      </span>
    </li>
  );
}
