/** Every change of an account's balance. */
import type { Static } from "typebox";
import type { CreditEntry as CreditEntrySchema } from "../../server/actions/credits.ts";
import { Moment } from "./moments.tsx";
import { ShowMore, usePaged } from "./paged.tsx";

type CreditEntry = Static<typeof CreditEntrySchema>;

/** Why a balance changed, for people. */
const REASONS: Readonly<Record<CreditEntry["reason"], string>> = {
  opening_balance: "Opening balance",
  set_by_the_operator: "Set by the operator",
  adjusted_by_the_operator: "Changed by the operator",
  email_verified: "E-mail address verified",
  source: "Source drawn from a preset",
  pattern: "Pattern made",
};

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
      <h2 id="history">History of credits</h2>
      {list.rows?.length === 0 && <p>The balance has never changed.</p>}
      <ul class="rows">
        {list.rows?.map(({ id, amount, reason, reference, note, balance_after, created_at }) => (
          <li key={id}>
            <div>
              <strong>{REASONS[reason]}</strong>
              {note && `: ${note}`}
              <p class="note">
                <Moment at={created_at} />
                {reference && `, ${reference.replace(":", " ")}`}. The balance was{" "}
                {balance_after.toLocaleString()} then.
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

/** Returns a number with its sign: +50, −1. */
export const signed = (amount: number) =>
  `${amount < 0 ? "−" : "+"}${Math.abs(amount).toLocaleString()}`;
