/** The change of the account's e-mail address. */
import { useSignal } from "@preact/signals";
import { attempt, status } from "../shared/attempt.ts";
import { fieldsOf } from "./forms.ts";
import { hasMail } from "./places.ts";
import { confirmed } from "./session.ts";

interface EmailChangeProps {
  /** Called when the address is another one. */
  readonly onChange: () => Promise<void>;
}

export function EmailChange({ onChange }: EmailChangeProps) {
  const sentTo = useSignal("");
  const submit = (event: SubmitEvent) => {
    const { email, password } = fieldsOf(event);
    const form = event.target as HTMLFormElement;
    let result = "";
    void attempt("Changing your address …", async () => {
      const { status } = await confirmed("auth/email", { email, password });
      if (status === 202) sentTo.value = email;
      else result = `Your address is ${email} now.`;
      form.reset();
      await onChange();
    }).then(() => {
      status.value ||= result;
    });
  };
  return (
    <section class="panel" aria-labelledby="email">
      <h2 id="email">E-mail address</h2>
      {hasMail && (
        <p>We send a link to the new address; it takes effect when you have opened that.</p>
      )}
      {sentTo.value && (
        <p>
          <strong>A link is on its way to {sentTo.value}.</strong> It works once, within 24 hours.
          Until then your address stays as it is.
        </p>
      )}
      <form class="field" onSubmit={submit}>
        <label>
          New e-mail address
          <input type="email" name="email" autocomplete="email" maxLength={254} required />
        </label>
        <label>
          Your password
          <input type="password" name="password" autocomplete="current-password" required />
        </label>
        <button type="submit">Change address</button>
      </form>
    </section>
  );
}
