/** Credits of each day: bars for what was spent, a line for the balance, and a table of both. */
import type { DailyCredits } from "../../server/actions/credits.ts";

/** Of the drawing; the page scales it. */
const WIDTH = 720;
const HEIGHT = 200;

const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });
const dateOf = (day: string) => FORMAT.format(new Date(day));

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
  const busiest = days.find(({ spent }) => spent === most);
  const summary = `${total} credits were spent in ${days.length} days${
    busiest ? `, most on ${dateOf(busiest.day)}: ${most}` : ""
  }. The balance is ${days.at(-1)?.balance}.`;
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
                <title>{`${dateOf(day)}: spent ${spent}, balance ${balance}`}</title>
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
            <span class="key bar-key" /> spent, at most {most} a day <span class="key line-key" />{" "}
            balance, at most {highest}
          </span>
          <span>{dateOf(days[days.length - 1].day)}</span>
        </figcaption>
      </figure>
      <p>{summary}</p>
      <details>
        <summary>As a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Spent</th>
              <th scope="col">Received</th>
              <th scope="col">Balance</th>
            </tr>
          </thead>
          <tbody>
            {days
              .filter(({ spent, received }) => spent + received > 0)
              .toReversed()
              .map(({ day, spent, received, balance }) => (
                <tr key={day}>
                  <th scope="row">{dateOf(day)}</th>
                  <td>{spent}</td>
                  <td>{received}</td>
                  <td>{balance}</td>
                </tr>
              ))}
          </tbody>
        </table>
        <p class="note">Days without a change are left out. Days are in UTC.</p>
      </details>
    </>
  );
}
