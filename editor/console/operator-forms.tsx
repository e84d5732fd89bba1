/** What an operator does to an account: credits, plan, freezing. */
import type { AccountDetails } from "../../server/actions/operator.ts";
import { attempt, status } from "../shared/attempt.ts";
import { t } from "../shared/messages.ts";
import { inWords } from "../shared/problem-words.ts";
import { confirm } from "./confirm.tsx";
import { fieldsOf } from "./forms.ts";
import { planTitles } from "./plans.ts";
import { request, session } from "./session.ts";

interface OperatorFormsProps {
  readonly account: AccountDetails;
  /** Called when the account is not as it was. */
  readonly onChange: () => Promise<void>;
}

export function OperatorForms(props: OperatorFormsProps) {
  return (
    <div class="forms">
      <Credits {...props} />
      <Plan {...props} />
      <Freezing {...props} />
    </div>
  );
}

/** A reason for the lists of actions. */
const Note = ({ about }: { readonly about: string }) => (
  <label>
    {t("operator.note")}
    <input name="note" maxLength={500} placeholder={about} />
  </label>
);

/** Returns the reason as a field of the request; the API takes none that is empty. */
const noteOf = ({ note = "" }: Readonly<Record<string, string>>) =>
  note.trim() ? { note: note.trim() } : {};

function Credits({ account: { id, credits }, onChange }: OperatorFormsProps) {
  const submit = (event: SubmitEvent) => {
    const fields = fieldsOf(event);
    const form = event.target as HTMLFormElement;
    const sign = (event.submitter as HTMLButtonElement | null)?.value === "remove" ? -1 : 1;
    const json = { amount: sign * Number(fields.amount), ...noteOf(fields) };
    const change = async () => {
      await request("POST", `operator/accounts/${id}/credits`, { json, creates: true });
      form.reset();
      status.value = t("operator.creditsChanged");
      await onChange();
    };
    const explain = (error: unknown) => inWords(error, { conflict: "operator.tooFewCredits" });
    void attempt({ name: t("operator.changingCredits"), explain }, change);
  };
  return (
    <section class="panel" aria-labelledby="change-credits">
      <h2 id="change-credits">{t("operator.credits", { credits })}</h2>
      <form class="field" onSubmit={submit}>
        <label>
          {t("operator.amount")}
          <input type="number" name="amount" min={1} max={1_000_000_000} required />
        </label>
        <Note about={t("operator.publicNote")} />
        <div class="ways">
          <button type="submit" value="add">
            {t("operator.addCredits")}
          </button>
          <button type="submit" value="remove">
            {t("operator.removeCredits")}
          </button>
        </div>
      </form>
    </section>
  );
}

function Plan({ account: { id, plan }, onChange }: OperatorFormsProps) {
  const submit = (event: SubmitEvent) => {
    const fields = fieldsOf(event);
    const form = event.target as HTMLFormElement;
    void attempt(t("operator.changingPlan"), async () => {
      const json = { plan: fields.plan, ...noteOf(fields) };
      await request("PATCH", `operator/accounts/${id}`, { json });
      form.reset();
      status.value = t("operator.planChanged");
      await onChange();
    });
  };
  return (
    <section class="panel" aria-labelledby="change-plan">
      <h2 id="change-plan">{t("operator.plan", { plan: t(`plan.${plan}`) })}</h2>
      <form class="field" onSubmit={submit}>
        <label>
          {t("operator.newPlan")}
          <select name="plan" key={plan}>
            {Object.entries(planTitles()).map(([name, title]) => (
              <option key={name} value={name} selected={name === plan}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <Note about={t("operator.privateNote")} />
        <button type="submit">{t("operator.changePlan")}</button>
      </form>
    </section>
  );
}

function Freezing({ account: { id, email, frozen }, onChange }: OperatorFormsProps) {
  const set = (wanted: boolean, note: object) =>
    void attempt(t(wanted ? "operator.freezing" : "operator.unfreezing"), async () => {
      const json = { frozen: wanted, ...note };
      await request("PATCH", `operator/accounts/${id}`, { json });
      status.value = t(wanted ? "operator.isFrozen" : "operator.isUnfrozen");
      await onChange();
    });
  const submit = (event: SubmitEvent) => {
    const note = noteOf(fieldsOf(event));
    if (frozen) set(false, note);
    else {
      confirm(t("operator.freezeAsk", { email }), t("operator.freeze"), () => set(true, note));
    }
  };
  return (
    <section class="panel" aria-labelledby="freezing">
      <h2 id="freezing">{t(frozen ? "state.frozen" : "operator.freeze")}</h2>
      {id === session.value?.account_id ? (
        <p>{t("operator.ownAccount")}</p>
      ) : (
        <form class="field" onSubmit={submit}>
          <p class="note">{t(frozen ? "operator.ifFrozen" : "operator.ifNotFrozen")}</p>
          <Note about={t("operator.privateNote")} />
          <button type="submit" class={frozen ? "" : "danger"}>
            {t(frozen ? "operator.unfreezeAccount" : "operator.freezeAccount")}
          </button>
        </form>
      )}
    </section>
  );
}
