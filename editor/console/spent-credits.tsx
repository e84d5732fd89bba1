/** What an account spent over time. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { DailyCredits } from "../../server/actions/credits.ts";
import { t } from "../shared/messages.ts";
import { CreditChart } from "./credit-chart.tsx";
import { SelectField } from "./fields.tsx";
import { useLoaded } from "./loaded.ts";

/** In days. */
const PERIODS = ["30", "90", "365"] as const;

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
      <h2 id="over-time">{t("spent.title")}</h2>
      <div class="inline">
        <SelectField
          label={t("spent.period")}
          chosen={period}
          titles={Object.fromEntries(PERIODS.map((days) => [days, t(`period.${days}`)]))}
        />
      </div>
      {value && total === 0 && (
        <p>
          {t("spent.none")} {children}
        </p>
      )}
      {value && total > 0 && <CreditChart days={value.data} total={total} />}
    </section>
  );
}
