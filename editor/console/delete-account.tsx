/** Deletes the account, after a list of what is deleted with it and the password. */
import type { Account } from "../../server/actions/account-settings.ts";
import { attempt, status } from "../shared/attempt.ts";
import { bytesOf } from "./bytes.ts";
import { fieldsOf } from "./forms.ts";
import { close, confirmed } from "./session.ts";

/** Returns a number of things: 1 pattern, 2 patterns. */
const count = (number: number, one: string, many = `${one}s`) =>
  `${number.toLocaleString()} ${number === 1 ? one : many}`;

export function DeleteAccount({ account }: { readonly account: Account }) {
  const { email, credits, usage } = account;
  const submit = (event: SubmitEvent) => {
    const { typed, password } = fieldsOf(event);
    void attempt("Deleting your account …", async () => {
      if (typed.trim().toLowerCase() !== email.toLowerCase()) {
        throw new Error(`type ${email} to confirm`);
      }
      await confirmed("account/delete", { password });
      close();
      status.value = "Your account is deleted.";
    });
  };
  return (
    <section class="panel" aria-labelledby="deletion">
      <h2 id="deletion">Delete your account</h2>
      <details>
        <summary>Delete {email} for good …</summary>
        <p>With your account these go, at once and for good:</p>
        <ul>
          <li>
            {count(usage.patterns, "pattern")} and {count(usage.sources, "picture")}
          </li>
          <li>
            print files and mockups ({bytesOf(usage.output_bytes)}); files that are being made end
          </li>
          <li>
            {count(usage.api_keys, "API key")}: programs that use them are refused from then on
          </li>
          <li>{count(usage.pinned_renders, "signed link")}: they say that the picture is gone</li>
          <li>webhooks with their deliveries: nothing is sent any more</li>
          <li>customers who come from your shop: their links and open sessions end</li>
          <li>{count(credits, "credit")}, and the history of your credits</li>
        </ul>
        <form class="field" onSubmit={submit}>
          <label>
            Your e-mail address, to confirm
            <input type="email" name="typed" autocomplete="off" required />
          </label>
          <label>
            Your password
            <input type="password" name="password" autocomplete="current-password" required />
          </label>
          <button type="submit" class="danger">
            Delete my account
          </button>
        </form>
      </details>
    </section>
  );
}
