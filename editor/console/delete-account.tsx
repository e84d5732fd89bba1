/** Deletes the account, after a list of what is deleted with it and the password. */
import type { Account } from "../../server/actions/account-settings.ts";
import { attempt, status } from "../shared/attempt.ts";
import { t } from "../shared/messages.ts";
import { bytesOf } from "./bytes.ts";
import { fieldsOf } from "./forms.ts";
import { close, confirmed } from "./session.ts";

export function DeleteAccount({ account }: { readonly account: Account }) {
  const { email, credits, usage } = account;
  const submit = (event: SubmitEvent) => {
    const { typed, password } = fieldsOf(event);
    void attempt(t("deletion.deleting"), async () => {
      if (typed.trim().toLowerCase() !== email.toLowerCase()) {
        throw new Error(t("deletion.mistyped", { email }));
      }
      await confirmed("account/delete", { password });
      close();
      status.value = t("deletion.done");
    });
  };
  return (
    <section class="panel" aria-labelledby="deletion">
      <h2 id="deletion">{t("deletion.title")}</h2>
      <details>
        <summary>{t("deletion.open", { email })}</summary>
        <p>{t("deletion.intro")}</p>
        <ul>
          <li>{t("deletion.patterns", { count: usage.patterns })}</li>
          <li>{t("deletion.pictures", { count: usage.sources })}</li>
          <li>{t("deletion.files", { size: bytesOf(usage.output_bytes) })}</li>
          <li>{t("deletion.batches", { count: usage.batch_items })}</li>
          <li>{t("deletion.keys", { count: usage.api_keys })}</li>
          <li>{t("deletion.links", { count: usage.pinned_renders })}</li>
          <li>{t("deletion.webhooks")}</li>
          <li>{t("deletion.customers")}</li>
          <li>{t("deletion.credits", { count: credits })}</li>
        </ul>
        <form class="field" onSubmit={submit}>
          <label>
            {t("deletion.confirm")}
            <input type="email" name="typed" autocomplete="off" required />
          </label>
          <label>
            {t("password.yours")}
            <input type="password" name="password" autocomplete="current-password" required />
          </label>
          <button type="submit" class="danger">
            {t("deletion.submit")}
          </button>
        </form>
      </details>
    </section>
  );
}
