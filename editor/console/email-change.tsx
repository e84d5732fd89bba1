/** The change of the account's e-mail address. */
import { useSignal } from "@preact/signals";
import { attempt, status } from "../shared/attempt.ts";
import { t } from "../shared/messages.ts";
import { inWords } from "../shared/problem-words.ts";
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
    const change = async () => {
      const response = await confirmed("auth/email", { email, password });
      if (response.status === 202) sentTo.value = email;
      else status.value = t("email.changed", { email });
      form.reset();
      await onChange();
    };
    const explain = (error: unknown) => inWords(error, { conflict: "problem.emailTaken" });
    void attempt({ name: t("email.changing"), explain }, change);
  };
  return (
    <section class="panel" aria-labelledby="email">
      <h2 id="email">{t("email.title")}</h2>
      {hasMail && <p>{t("email.hint")}</p>}
      {sentTo.value && (
        <p>
          <strong>{t("account.linkSent", { email: sentTo.value })}</strong> {t("email.sentHint")}
        </p>
      )}
      <form class="field" onSubmit={submit}>
        <label>
          {t("email.new")}
          <input type="email" name="email" autocomplete="email" maxLength={254} required />
        </label>
        <label>
          {t("password.yours")}
          <input type="password" name="password" autocomplete="current-password" required />
        </label>
        <button type="submit">{t("email.submit")}</button>
      </form>
    </section>
  );
}
