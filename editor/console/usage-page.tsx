/** Credits over time, and the quotas of the plan. */
import type { Account } from "../../server/actions/account-settings.ts";
import { attempt, status } from "../shared/attempt.ts";
import { formatNumber, t } from "../shared/messages.ts";
import { CreditHistory } from "./credit-history.tsx";
import { fieldsOf } from "./forms.ts";
import { useLoaded } from "./loaded.ts";
import { href } from "./places.ts";
import { Quotas } from "./quotas.tsx";
import { rich } from "./rich.ts";
import { request } from "./session.ts";
import { SpentCredits } from "./spent-credits.tsx";

export function UsagePage() {
  const account = useLoaded<Account>("account");
  return (
    <main class="page">
      <h1>{t("usage.title")}</h1>
      {account.value && <Balance account={account.value} onChange={account.reload} />}
      <SpentCredits of="account">
        {rich("usage.begin", { design: <a href={href("editor")}>{t("usage.design")}</a> })}
      </SpentCredits>
      <CreditHistory of="account" />
      {account.value && <Quotas account={account.value} />}
    </main>
  );
}

interface BalanceProps {
  readonly account: Account;
  readonly onChange: () => Promise<void>;
}

function Balance({ account, onChange }: BalanceProps) {
  const { credits, low_credit_threshold, plan } = account;
  const save = (event: SubmitEvent) => {
    const json = { low_credit_threshold: Number(fieldsOf(event).threshold) };
    void attempt(t("shell.saving"), async () => {
      await request("PATCH", "account", { json });
      status.value = t("shell.saved");
      await onChange();
    });
  };
  return (
    <section class="panel" aria-labelledby="balance">
      <h2 id="balance">{t("account.credits")}</h2>
      <p>
        <strong class="figure">{formatNumber(credits)}</strong>{" "}
        {credits < low_credit_threshold && <span class="state failed">{t("usage.low")}</span>}
      </p>
      <p class="note">{t("usage.costs", { plan: t(`plan.${plan}`) })}</p>
      <form class="inline" onSubmit={save}>
        <label>
          {t("usage.threshold")}
          <input
            type="number"
            name="threshold"
            min={0}
            max={1_000_000_000}
            defaultValue={low_credit_threshold}
            required
          />
        </label>
        <button type="submit">{t("usage.save")}</button>
      </form>
      <p class="note">
        {rich("usage.event", {
          webhooks: <a href={href("console/integrations")}>{t("usage.webhooks")}</a>,
        })}
      </p>
    </section>
  );
}
