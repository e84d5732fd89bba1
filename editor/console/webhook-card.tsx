/** A webhook: test it, rotate its secret, pause or delete it, and look at its deliveries. */
import { useSignal } from "@preact/signals";
import type { Delivery, RecoveryResult } from "../../server/actions/delivery-fields.ts";
import type { Webhook } from "../../server/actions/webhooks.ts";
import { attempt, status } from "../shared/attempt.ts";
import { confirm } from "./confirm.tsx";
import { Deliveries } from "./deliveries.tsx";
import { SENT_EVENTS, type WebhookWithSecret } from "./events.ts";
import { fieldsOf } from "./forms.ts";
import { Moment } from "./moments.tsx";
import { Secret } from "./secret.tsx";
import { fetchJson, request } from "./session.ts";

interface WebhookCardProps {
  readonly webhook: Webhook;
  /** Called after the webhook has changed, or is gone. */
  readonly onChange: () => Promise<void>;
}

export function WebhookCard({ webhook, onChange }: WebhookCardProps) {
  const { id, url, enabled } = webhook;
  /** Counts what was sent from here, so that the list of deliveries is loaded again. */
  const sent = useSignal(0);
  const secret = useSignal("");
  const test = (event: SubmitEvent) => {
    const fields = fieldsOf(event);
    void attempt("Sending the test …", async () => {
      const path = `webhooks/${id}/test?event=${fields.event}`;
      await fetchJson<Delivery>("POST", path, { creates: true });
      sent.value++;
    });
  };
  const rotate = () =>
    confirm(
      `Make a new secret for ${url}? The old one signs, too, for 24 hours.`,
      "Rotate",
      () =>
        void attempt("Rotating the secret …", async () => {
          const options = { json: { overlap_hours: 24 }, creates: true };
          const path = `webhooks/${id}/rotate-secret`;
          const changed = await fetchJson<WebhookWithSecret>("POST", path, options);
          secret.value = changed.secret;
          await onChange();
        }),
    );
  const toggle = () =>
    void attempt(enabled ? "Pausing …" : "Resuming …", async () => {
      await request("PATCH", `webhooks/${id}`, { json: { enabled: !enabled } });
      await onChange();
    });
  const remove = () =>
    confirm(
      `Delete the webhook ${url}, with its deliveries?`,
      "Delete",
      () =>
        void attempt("Deleting the webhook …", async () => {
          await request("DELETE", `webhooks/${id}`);
          await onChange();
        }),
    );
  const recover = (event: SubmitEvent) => {
    const since = new Date(fieldsOf(event).since).toISOString();
    let result = "";
    void attempt("Sending failed deliveries again …", async () => {
      const options = { json: { since }, creates: true };
      const path = `webhooks/${id}/recover`;
      const { redelivered, has_more } = await fetchJson<RecoveryResult>("POST", path, options);
      sent.value++;
      const more = has_more ? ", and there are more: repeat it" : "";
      result =
        redelivered === 0
          ? "Since then none has failed."
          : `Failed deliveries that are sent again: ${redelivered}${more}.`;
    }).then(() => {
      status.value ||= result;
    });
  };
  return (
    <section class="panel webhook" aria-labelledby={`webhook-${id}`}>
      <h2 id={`webhook-${id}`}>{url}</h2>
      <p class="note">
        {webhook.events.join(", ")}. Since <Moment at={webhook.created_at} />.{" "}
        {!enabled &&
          (webhook.disabled_reason === "gone"
            ? "Paused: your server said that nothing is there any more (410)."
            : "Paused.")}
        {webhook.previous_secret_until && (
          <>
            The old secret signs, too, until <Moment at={webhook.previous_secret_until} />.
          </>
        )}
      </p>
      {secret.value && (
        <div class="made">
          <Secret label={`New secret for ${url}`} secret={secret.value} />
        </div>
      )}
      <form class="inline" onSubmit={test}>
        <label>
          Event
          <select name="event">
            {SENT_EVENTS.map((event) => (
              <option key={event}>{event}</option>
            ))}
          </select>
        </label>
        <button type="submit" disabled={!enabled}>
          Send test
        </button>
      </form>
      <div class="ways">
        <button type="button" onClick={rotate}>
          Rotate secret
        </button>
        <button type="button" onClick={toggle}>
          {enabled ? "Pause" : "Resume"}
        </button>
        <button type="button" onClick={remove}>
          Delete
        </button>
      </div>
      <Deliveries webhook={id} sent={sent.value} isEnabled={enabled} />
      <details>
        <summary>Was your server down?</summary>
        <form class="inline" onSubmit={recover}>
          <label>
            Since
            <input type="datetime-local" name="since" required />
          </label>
          <button type="submit" disabled={!enabled}>
            Send failed deliveries again
          </button>
        </form>
      </details>
    </section>
  );
}
