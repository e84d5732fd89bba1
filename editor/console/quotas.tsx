/** The quotas of the plan, with what is used of each. */
import type { Account } from "../../server/actions/account-settings.ts";
import { bytesOf } from "./bytes.ts";

type Quota = keyof Account["usage"];

const TITLES: Readonly<Record<Quota, string>> = {
  patterns: "Patterns",
  sources: "Pictures",
  source_bytes: "Size of pictures",
  output_bytes: "Print files and mockups",
  pinned_renders: "Signed links",
  api_keys: "API keys",
  renders_in_flight: "Renders at once",
  body_bytes_in_flight: "Uploads at once",
};

export function Quotas({ account: { usage, limits } }: { readonly account: Account }) {
  return (
    <section class="panel" aria-labelledby="quotas">
      <h2 id="quotas">Quotas</h2>
      <ul class="rows">
        {Object.entries(TITLES).map(([name, title]) => {
          const [used, limit] = [usage[name as Quota], limits[name]];
          const text = name.includes("bytes")
            ? `${bytesOf(used)} of ${bytesOf(limit)}`
            : `${used.toLocaleString()} of ${limit.toLocaleString()}`;
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
