/** Credits over time, and the quotas of the plan. */
import type { Account } from "../../server/actions/account-settings.ts";
import { attempt, status } from "../shared/attempt.ts";
import { CreditHistory } from "./credit-history.tsx";
import { fieldsOf } from "./forms.ts";
import { useLoaded } from "./loaded.ts";
import { href } from "./places.ts";
import { PLANS } from "./plans.ts";
import { Quotas } from "./quotas.tsx";
import { request } from "./session.ts";
import { SpentCredits } from "./spent-credits.tsx";

export function UsagePage() {
  const account = useLoaded<Account>("account");
  return (
    <main class="page">
      <h1>Usage</h1>
      {account.value && <Balance account={account.value} onChange={account.reload} />}
      <SpentCredits of="account">
        <a href={href("editor")}>Design a pattern</a> to begin.
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
    void attempt("Saving …", async () => {
      await request("PATCH", "account", { json });
      await onChange();
    }).then(() => {
      status.value ||= "Saved.";
    });
  };
  return (
    <section class="panel" aria-labelledby="balance">
      <h2 id="balance">Credits</h2>
      <p>
        <strong class="figure">{credits.toLocaleString()}</strong>{" "}
        {credits < low_credit_threshold && <span class="state failed">Low</span>}
      </p>
      <p class="note">
        You are on the plan {PLANS[plan]}. Drawing a preset or making a pattern costs 1 credit;
        rendering, exports and mockups cost nothing.
      </p>
      <form class="inline" onSubmit={save}>
        <label>
          Low below
          <input
            type="number"
            name="threshold"
            min={0}
            max={1_000_000_000}
            defaultValue={low_credit_threshold}
            required
          />
        </label>
        <button type="submit">Save</button>
      </form>
      <p class="note">
        The event credits.low tells your <a href={href("console/integrations")}>webhooks</a> then.
      </p>
    </section>
  );
}
