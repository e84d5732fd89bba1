/** Every change of an account's balance. */
import type { Static } from "typebox";
import type { CreditEntry as CreditEntrySchema } from "../../server/actions/credits.ts";
import { formatNumber, t } from "../shared/messages.ts";
import { Moment } from "./moments.tsx";
import { ShowMore, usePaged } from "./paged.tsx";
import { rich } from "./rich.ts";

type CreditEntry = Static<typeof CreditEntrySchema>;

const ROWS = 10;

interface CreditHistoryProps {
  /** The account's path in the API. */
  readonly of: string;
  /** Another number when the balance has changed. */
  readonly done?: number;
}

export function CreditHistory({ of, done }: CreditHistoryProps) {
  const list = usePaged<CreditEntry>(`${of}/credits`, ROWS, done);
  return (
    <section class="panel" aria-labelledby="history">
      <h2 id="history">{t("history.title")}</h2>
      {list.rows?.length === 0 && <p>{t("history.none")}</p>}
      <ul class="rows">
        {list.rows?.map(({ id, amount, reason, reference, note, balance_after, created_at }) => (
          <li key={id}>
            <div>
              <strong>{t(`reason.${reason}`)}</strong>
              {note && t("shell.note", { note })}
              <p class="note">
                {rich(reference ? "history.balanceOf" : "history.balance", {
                  at: <Moment at={created_at} />,
                  balance: formatNumber(balance_after),
                  reference: reference && referenceInWords(reference),
                })}
              </p>
            </div>
            <strong class="amount">{signed(amount)}</strong>
          </li>
        ))}
      </ul>
      <ShowMore list={list} what="changes" />
    </section>
  );
}

/** "pattern:12" → "pattern 12". */
function referenceInWords(reference: string): string {
  const [kind, id] = reference.split(":");
  return t(kind === "source" ? "history.source" : "history.pattern", { id });
}

/** Returns a number with its sign: +50, −1. */
export const signed = (amount: number) =>
  `${amount < 0 ? "−" : "+"}${formatNumber(Math.abs(amount))}`;
