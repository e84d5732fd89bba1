/** What an operator does to an account: credits, plan, freezing. */
import type { AccountDetails } from "../../server/actions/operator.ts";
import { attempt, status } from "../shared/attempt.ts";
import { confirm } from "./confirm.tsx";
import { fieldsOf } from "./forms.ts";
import { PLANS } from "./plans.ts";
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
    Note
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
    void attempt("Changing the credits …", async () => {
      await request("POST", `operator/accounts/${id}/credits`, { json, creates: true });
      form.reset();
      await onChange();
    }).then(() => {
      status.value ||= "The credits are changed.";
    });
  };
  return (
    <section class="panel" aria-labelledby="change-credits">
      <h2 id="change-credits">Credits: {credits.toLocaleString()}</h2>
      <form class="field" onSubmit={submit}>
        <label>
          Amount
          <input type="number" name="amount" min={1} max={1_000_000_000} required />
        </label>
        <Note about="Why; the owner reads it in the history" />
        <div class="ways">
          <button type="submit" value="add">
            Add credits
          </button>
          <button type="submit" value="remove">
            Remove credits
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
    void attempt("Changing the plan …", async () => {
      const json = { plan: fields.plan, ...noteOf(fields) };
      await request("PATCH", `operator/accounts/${id}`, { json });
      form.reset();
      await onChange();
    }).then(() => {
      status.value ||= "The plan is changed.";
    });
  };
  return (
    <section class="panel" aria-labelledby="change-plan">
      <h2 id="change-plan">Plan: {PLANS[plan]}</h2>
      <form class="field" onSubmit={submit}>
        <label>
          New plan
          <select name="plan" key={plan}>
            {Object.entries(PLANS).map(([name, title]) => (
              <option key={name} value={name} selected={name === plan}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <Note about="Why; only operators read it" />
        <button type="submit">Change plan</button>
      </form>
    </section>
  );
}

function Freezing({ account: { id, email, frozen }, onChange }: OperatorFormsProps) {
  const set = (wanted: boolean, note: object) =>
    void attempt(wanted ? "Freezing …" : "Unfreezing …", async () => {
      const json = { frozen: wanted, ...note };
      await request("PATCH", `operator/accounts/${id}`, { json });
      await onChange();
    }).then(() => {
      status.value ||= wanted ? "The account is frozen." : "The account works again.";
    });
  const submit = (event: SubmitEvent) => {
    const note = noteOf(fieldsOf(event));
    if (frozen) set(false, note);
    else {
      confirm(`Freeze ${email}? Its keys, sessions and links stop at once.`, "Freeze", () =>
        set(true, note),
      );
    }
  };
  return (
    <section class="panel" aria-labelledby="freezing">
      <h2 id="freezing">{frozen ? "Frozen" : "Freeze"}</h2>
      {id === session.value?.account_id ? (
        <p>This is your own account: only another operator can freeze it.</p>
      ) : (
        <form class="field" onSubmit={submit}>
          <p class="note">
            {frozen
              ? "All that is in the account is still there. Print files that were ended have to be ordered again."
              : "Keys, sessions, customers and signed links are refused, jobs that run end, events are not delivered. Nothing is deleted."}
          </p>
          <Note about="Why; only operators read it" />
          <button type="submit" class={frozen ? "" : "danger"}>
            {frozen ? "Unfreeze account" : "Freeze account"}
          </button>
        </form>
      )}
    </section>
  );
}
