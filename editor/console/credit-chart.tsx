/** Credits of each day: bars for what was spent, a line for the balance, and a table of both. */
import type { DailyCredits } from "../../server/actions/credits.ts";
import { formatDate, formatNumber, t } from "../shared/messages.ts";

/** Of the drawing; the page scales it. */
const WIDTH = 720;
const HEIGHT = 200;

const dateOf = (day: string) => formatDate(day, { dateStyle: "medium", timeZone: "UTC" });

interface CreditChartProps {
  readonly days: DailyCredits["data"];
  /** Spent on all of them. */
  readonly total: number;
}

export function CreditChart({ days, total }: CreditChartProps) {
  const most = Math.max(...days.map(({ spent }) => spent));
  const highest = Math.max(1, ...days.map(({ balance }) => balance));
  const step = WIDTH / days.length;
  const line = days.map(({ balance }, index) => {
    const y = HEIGHT - (HEIGHT * balance) / highest;
    return `${((index + 0.5) * step).toFixed(1)},${y.toFixed(1)}`;
  });
  const last = days[days.length - 1];
  const busiest = days.find(({ spent }) => spent === most) ?? last;
  const summary = t("spent.summary", {
    count: total,
    days: days.length,
    day: dateOf(busiest.day),
    most,
    balance: last.balance,
  });
  return (
    <>
      <figure>
        <svg
          viewBox={`0 -4 ${WIDTH} ${HEIGHT + 8}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={summary}
        >
          <path class="axis" d={`M0 ${HEIGHT}H${WIDTH}`} />
          {days.map(({ day, spent, balance }, index) => {
            const height = (HEIGHT * spent) / most;
            return (
              <g key={day}>
                <title>{t("spent.onDay", { day: dateOf(day), spent, balance })}</title>
                <rect class="hit" x={index * step} y={0} width={step} height={HEIGHT} />
                <rect
                  class="bar"
                  x={(index + 0.15) * step}
                  y={HEIGHT - height}
                  width={0.7 * step}
                  height={height}
                />
              </g>
            );
          })}
          <polyline class="line" points={line.join(" ")} />
        </svg>
        <figcaption>
          <span>{dateOf(days[0].day)}</span>
          <span>
            <span class="key bar-key" /> {t("spent.bars", { most })} <span class="key line-key" />{" "}
            {t("spent.line", { highest })}
          </span>
          <span>{dateOf(last.day)}</span>
        </figcaption>
      </figure>
      <p>{summary}</p>
      <details>
        <summary>{t("spent.table")}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("spent.day")}</th>
              <th scope="col">{t("spent.spent")}</th>
              <th scope="col">{t("spent.received")}</th>
              <th scope="col">{t("spent.balance")}</th>
            </tr>
          </thead>
          <tbody>
            {days
              .filter(({ spent, received }) => spent + received > 0)
              .toReversed()
              .map(({ day, spent, received, balance }) => (
                <tr key={day}>
                  <th scope="row">{dateOf(day)}</th>
                  <td>{formatNumber(spent)}</td>
                  <td>{formatNumber(received)}</td>
                  <td>{formatNumber(balance)}</td>
                </tr>
              ))}
          </tbody>
        </table>
        <p class="note">{t("spent.tableHint")}</p>
      </details>
    </>
  );
}
