/** Webhooks: add one, and what becomes of its events. */
import { useSignal } from "@preact/signals";
import type { Webhook } from "../../server/actions/webhooks.ts";
import { attempt } from "../shared/attempt.ts";
import { t } from "../shared/messages.ts";
import { inWords } from "../shared/problem-words.ts";
import { EVENTS, type WebhookWithSecret } from "./events.ts";
import { useLoaded } from "./loaded.ts";
import { href } from "./places.ts";
import { rich } from "./rich.ts";
import { Secret } from "./secret.tsx";
import { fetchJson } from "./session.ts";
import { WebhookCard } from "./webhook-card.tsx";

export function IntegrationsPage() {
  const webhooks = useLoaded<{ readonly data: readonly Webhook[] }>("webhooks");
  const made = useSignal<WebhookWithSecret | null>(null);
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const fields = new FormData(form);
    const events = fields.getAll("events");
    const json = { url: fields.get("url"), events };
    const explain = (error: unknown) => inWords(error, { conflict: "integrations.full" });
    void attempt({ name: t("integrations.adding"), explain }, async () => {
      if (events.length === 0) throw new Error(t("integrations.noEvent"));
      made.value = await fetchJson<WebhookWithSecret>("POST", "webhooks", { json, creates: true });
      form.reset();
      await webhooks.reload();
    });
  };
  return (
    <main class="page">
      <h1>{t("integrations.title")}</h1>
      <p>
        {rich("integrations.intro", {
          documentation: <a href={`${href("docs")}#/Webhooks`}>{t("shell.documentation")}</a>,
        })}
      </p>
      <section class="panel" aria-labelledby="new-webhook">
        <h2 id="new-webhook">{t("integrations.new")}</h2>
        <form class="field" onSubmit={add}>
          <label>
            {t("integrations.url")}
            <input
              type="url"
              name="url"
              maxLength={2000}
              placeholder="https://shop.example/hooks"
              required
            />
          </label>
          <fieldset>
            <legend>{t("integrations.events")}</legend>
            {Object.entries(EVENTS).map(([event, title]) => (
              <label key={event} class="check">
                <input type="checkbox" name="events" value={event} defaultChecked />
                {t(title)} ({event})
              </label>
            ))}
          </fieldset>
          <button type="submit" class="main">
            {t("integrations.submit")}
          </button>
        </form>
        {made.value && (
          <div class="made">
            <Secret
              label={t("integrations.secret", { url: made.value.url })}
              secret={made.value.secret}
            />
            <p>{t("integrations.secretHint")}</p>
          </div>
        )}
      </section>
      {webhooks.value?.data.length === 0 && <p>{t("integrations.none")}</p>}
      {webhooks.value?.data.map((webhook) => (
        <WebhookCard key={webhook.id} webhook={webhook} onChange={webhooks.reload} />
      ))}
    </main>
  );
}
