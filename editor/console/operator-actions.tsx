/** What operators did to accounts, with who did it and why. */
import type { OperatorAction } from "../../server/actions/operator.ts";
import { t } from "../shared/messages.ts";
import { signed } from "./credit-history.tsx";
import { Moment } from "./moments.tsx";
import { ShowMore, usePaged } from "./paged.tsx";
import { href } from "./places.ts";
import { planTitles } from "./plans.ts";
import { rich } from "./rich.ts";

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
      <h2 id="actions">{t("actions.title")}</h2>
      {list.rows?.length === 0 && <p>{t("actions.none")}</p>}
      <ul class="rows">
        {list.rows?.map((action) => (
          <li key={action.id}>
            <div>
              <strong>{textOf(action)}</strong>
              {action.note && t("shell.note", { note: action.note })}
              <p class="note">
                {rich(account === undefined ? "actions.byOn" : "actions.by", {
                  at: <Moment at={action.created_at} />,
                  operator: action.operator ? nameOf(action.operator) : t("actions.commandLine"),
                  account: (
                    <a href={href(`console/accounts/${action.account.id}`)}>
                      {nameOf(action.account)}
                    </a>
                  ),
                })}
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
  email ?? t("actions.deletedAccount", { id: String(id) });

function textOf({ action, details: { from, to, amount, balance } }: OperatorAction): string {
  const titles: Readonly<Record<string, string>> = {
    ...planTitles(),
    owner: t("role.owner"),
    operator: t("role.operator"),
  };
  const titleOf = (name: string | number) => titles[name] ?? String(name);
  switch (action) {
    case "account_frozen":
      return t("action.account_frozen");
    case "account_unfrozen":
      return t("action.account_unfrozen");
    case "plan_changed":
      return t("action.plan_changed", { from: titleOf(from), to: titleOf(to) });
    case "role_changed":
      return t("action.role_changed", { from: titleOf(from), to: titleOf(to) });
    case "credits_changed":
      return t("action.credits_changed", {
        amount: signed(Number(amount)),
        balance: Number(balance),
      });
  }
}
