/** Webhooks: add one, and what becomes of its events. */
import { useSignal } from "@preact/signals";
import type { Webhook } from "../../server/actions/webhooks.ts";
import { attempt } from "../shared/attempt.ts";
import { EVENTS, type WebhookWithSecret } from "./events.ts";
import { useLoaded } from "./loaded.ts";
import { href } from "./places.ts";
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
    void attempt("Adding the webhook …", async () => {
      if (events.length === 0) throw new Error("choose at least one event");
      made.value = await fetchJson<WebhookWithSecret>("POST", "webhooks", { json, creates: true });
      form.reset();
      await webhooks.reload();
    });
  };
  return (
    <main class="page">
      <h1>Integrations</h1>
      <p>
        A webhook tells your own server what happens here, by a signed request. The{" "}
        <a href={`${href("docs")}#/Webhooks`}>documentation</a> says what the events carry.
      </p>
      <section class="panel" aria-labelledby="new-webhook">
        <h2 id="new-webhook">New webhook</h2>
        <form class="field" onSubmit={add}>
          <label>
            URL
            <input
              type="url"
              name="url"
              maxLength={2000}
              placeholder="https://shop.example/hooks"
              required
            />
          </label>
          <fieldset>
            <legend>Events</legend>
            {Object.entries(EVENTS).map(([event, title]) => (
              <label key={event} class="check">
                <input type="checkbox" name="events" value={event} defaultChecked />
                {title} ({event})
              </label>
            ))}
          </fieldset>
          <button type="submit" class="main">
            Add webhook
          </button>
        </form>
        {made.value && (
          <div class="made">
            <Secret label={`Secret for ${made.value.url}`} secret={made.value.secret} />
            <p>Your server verifies with it that a request is ours.</p>
          </div>
        )}
      </section>
      {webhooks.value?.data.length === 0 && (
        <p>There is no webhook yet. Add the address of your server above, and send it a test.</p>
      )}
      {webhooks.value?.data.map((webhook) => (
        <WebhookCard key={webhook.id} webhook={webhook} onChange={webhooks.reload} />
      ))}
    </main>
  );
}
