/** What an account spent over time. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { DailyCredits } from "../../server/actions/credits.ts";
import { CreditChart } from "./credit-chart.tsx";
import { SelectField } from "./fields.tsx";
import { useLoaded } from "./loaded.ts";

const PERIODS = { 30: "30 days", 90: "90 days", 365: "A year" };

interface SpentCreditsProps {
  /** The account's path in the API. */
  readonly of: string;
  /** What is said where nothing was spent. */
  readonly children?: ComponentChildren;
}

export function SpentCredits({ of, children }: SpentCreditsProps) {
  const period = useSignal("30");
  const { value } = useLoaded<DailyCredits>(`${of}/credits/daily?days=${period.value}`);
  const total = value?.data.reduce((sum, { spent }) => sum + spent, 0) ?? 0;
  return (
    <section class="panel" aria-labelledby="over-time">
      <h2 id="over-time">Spent credits</h2>
      <div class="inline">
        <SelectField label="Period" chosen={period} titles={PERIODS} />
      </div>
      {value && total === 0 && <p>Nothing was spent in this time. {children}</p>}
      {value && total > 0 && <CreditChart days={value.data} total={total} />}
    </section>
  );
}
