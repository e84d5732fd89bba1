/** What operators did to accounts, with who did it and why. */
import type { OperatorAction } from "../../server/actions/operator.ts";
import { signed } from "./credit-history.tsx";
import { Moment } from "./moments.tsx";
import { ShowMore, usePaged } from "./paged.tsx";
import { href } from "./places.ts";
import { PLANS } from "./plans.ts";

const ROWS = 10;

interface OperatorActionsProps {
  /** Only what was done to this account; left out: to all. */
  readonly account?: number;
  /** Another number when something was done. */
  readonly done?: number;
}

export function OperatorActions({ account, done = 0 }: OperatorActionsProps) {
  const path =
    account === undefined ? "operator/actions" : `operator/actions?account_id=${account}`;
  const list = usePaged<OperatorAction>(path, ROWS, done);
  return (
    <section class="panel" aria-labelledby="actions">
      <h2 id="actions">Operators’ actions</h2>
      {list.rows?.length === 0 && <p>There is none yet.</p>}
      <ul class="rows">
        {list.rows?.map((action) => (
          <li key={action.id}>
            <div>
              <strong>{textOf(action)}</strong>
              {action.note && `: ${action.note}`}
              <p class="note">
                <Moment at={action.created_at} />, by{" "}
                {action.operator ? nameOf(action.operator) : "the command line"}
                {account === undefined && (
                  <>
                    , on{" "}
                    <a href={href(`console/accounts/${action.account.id}`)}>
                      {nameOf(action.account)}
                    </a>
                  </>
                )}
                .
              </p>
            </div>
          </li>
        ))}
      </ul>
      <ShowMore list={list} what="actions" />
    </section>
  );
}

const nameOf = ({ id, email }: OperatorAction["account"]) =>
  email ?? `account ${id}, deleted since`;

const ROLES: Readonly<Record<string, string>> = { owner: "owner", operator: "operator" };

function textOf({ action, details }: OperatorAction): string {
  const change = (titles: Readonly<Record<string, string>>) =>
    `from ${titles[details.from] ?? details.from} to ${titles[details.to] ?? details.to}`;
  switch (action) {
    case "account_frozen":
      return "Frozen";
    case "account_unfrozen":
      return "Unfrozen";
    case "plan_changed":
      return `Plan changed ${change(PLANS)}`;
    case "role_changed":
      return `Role changed ${change(ROLES)}`;
    case "credits_changed":
      return `${signed(Number(details.amount))} credits, ${Number(details.balance).toLocaleString()} then`;
  }
}
