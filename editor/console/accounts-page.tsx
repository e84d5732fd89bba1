/** All accounts, for operators. */
import { useSignal } from "@preact/signals";
import type { AccountSummary } from "../../server/actions/operator.ts";
import { t } from "../shared/messages.ts";
import { SelectField } from "./fields.tsx";
import { Moment } from "./moments.tsx";
import { OperatorActions } from "./operator-actions.tsx";
import { ShowMore } from "./paged.tsx";
import { href } from "./places.ts";
import { planTitles } from "./plans.ts";
import { rich } from "./rich.ts";
import { Search, useSearched } from "./searched.tsx";

export function AccountsPage() {
  const plan = useSignal("");
  const frozen = useSignal("");
  const accounts = useSearched<AccountSummary>("operator/accounts", {
    plan: plan.value,
    frozen: frozen.value,
  });
  return (
    <main class="page">
      <h1>{t("accounts.title")}</h1>
      <div class="filters">
        <Search label={t("accounts.search")} onSearch={accounts.search} />
        <div class="inline">
          <SelectField
            label={t("account.plan")}
            chosen={plan}
            titles={{ "": t("accounts.allPlans"), ...planTitles() }}
          />
          <SelectField
            label={t("accounts.state")}
            chosen={frozen}
            titles={{
              "": t("accounts.allStates"),
              false: t("state.active"),
              true: t("state.frozen"),
            }}
          />
        </div>
      </div>
      <section class="panel" aria-labelledby="accounts">
        <h2 id="accounts">{t("accounts.list")}</h2>
        {accounts.rows?.length === 0 && <p>{t("accounts.noMatch")}</p>}
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
  const { email, role, plan, credits: count, frozen, created_at, last_used_at } = account;
  const id = String(account.id);
  const created = <Moment at={created_at} />;
  return (
    <li>
      <div>
        <a href={href(`console/accounts/${id}`)}>
          <strong>{email}</strong>
        </a>{" "}
        {frozen && <span class="state failed">{t("state.frozen")}</span>}{" "}
        {role === "operator" && <span class="state">{t("role.operator")}</span>}
        <p class="note">
          {last_used_at
            ? rich("accounts.used", { id, created, used: <Moment at={last_used_at} /> })
            : rich("accounts.unused", { id, created })}
        </p>
      </div>
      <span class="amount">{t("accounts.balance", { plan: t(`plan.${plan}`), count })}</span>
    </li>
  );
}
