/** The quotas of the plan, with what is used of each. */
import type { Account } from "../../server/actions/account-settings.ts";
import { t } from "../shared/messages.ts";
import { bytesOf } from "./bytes.ts";

type Quota = keyof Account["usage"];

const QUOTAS: readonly Quota[] = [
  "patterns",
  "sources",
  "source_bytes",
  "output_bytes",
  "pinned_renders",
  "open_batches",
  "batch_items",
  "api_keys",
  "renders_in_flight",
  "body_bytes_in_flight",
];

export function Quotas({ account: { usage, limits } }: { readonly account: Account }) {
  return (
    <section class="panel" aria-labelledby="quotas">
      <h2 id="quotas">{t("quotas.title")}</h2>
      <ul class="rows">
        {QUOTAS.map((name) => {
          const title = t(`quota.${name}`);
          const [used, limit] = [usage[name], limits[name]];
          const text = name.includes("bytes")
            ? t("quotas.used", { used: bytesOf(used), limit: bytesOf(limit) })
            : t("quotas.used", { used, limit });
          return (
            <li key={name} class="quota">
              <span>{title}</span>
              <meter aria-label={title} min={0} max={Math.max(1, limit)} value={used}>
                {text}
              </meter>
              <span>{text}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
