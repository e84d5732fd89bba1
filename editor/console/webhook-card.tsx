/** A webhook: test it, rotate its secret, pause or delete it, and look at its deliveries. */
import { useSignal } from "@preact/signals";
import type { Delivery, RecoveryResult } from "../../server/actions/delivery-fields.ts";
import type { Webhook } from "../../server/actions/webhooks.ts";
import { attempt, status } from "../shared/attempt.ts";
import { t } from "../shared/messages.ts";
import { inWords } from "../shared/problem-words.ts";
import { confirm } from "./confirm.tsx";
import { Deliveries } from "./deliveries.tsx";
import { SENT_EVENTS, type WebhookWithSecret } from "./events.ts";
import { fieldsOf } from "./forms.ts";
import { Moment } from "./moments.tsx";
import { rich } from "./rich.ts";
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
    const explain = (error: unknown) => inWords(error, { conflict: "problem.changed" });
    void attempt({ name: t("webhook.testing"), subject: id, explain }, async () => {
      const path = `webhooks/${id}/test?event=${fields.event}`;
      await fetchJson<Delivery>("POST", path, { creates: true });
      sent.value++;
    });
  };
  const rotate = () =>
    confirm(
      t("webhook.rotateAsk", { url }),
      t("webhook.rotateYes"),
      () =>
        void attempt({ name: t("webhook.rotating"), subject: id }, async () => {
          const options = { json: { overlap_hours: 24 }, creates: true };
          const path = `webhooks/${id}/rotate-secret`;
          const changed = await fetchJson<WebhookWithSecret>("POST", path, options);
          secret.value = changed.secret;
          await onChange();
        }),
    );
  const toggle = () =>
    void attempt(
      { name: t(enabled ? "webhook.pausing" : "webhook.resuming"), subject: id },
      async () => {
        await request("PATCH", `webhooks/${id}`, { json: { enabled: !enabled } });
        await onChange();
      },
    );
  const remove = () =>
    confirm(
      t("webhook.deleteAsk", { url }),
      t("shell.delete"),
      () =>
        void attempt({ name: t("webhook.deleting"), subject: id }, async () => {
          await request("DELETE", `webhooks/${id}`);
          await onChange();
        }),
    );
  const recover = (event: SubmitEvent) => {
    const since = new Date(fieldsOf(event).since).toISOString();
    void attempt({ name: t("webhook.recovering"), subject: id }, async () => {
      const options = { json: { since }, creates: true };
      const path = `webhooks/${id}/recover`;
      const { redelivered, has_more } = await fetchJson<RecoveryResult>("POST", path, options);
      sent.value++;
      status.value =
        redelivered === 0
          ? t("webhook.noneFailed")
          : t(has_more ? "webhook.recoveredSome" : "webhook.recovered", { number: redelivered });
    });
  };
  return (
    <section class="panel webhook" aria-labelledby={`webhook-${id}`}>
      <h2 id={`webhook-${id}`}>{url}</h2>
      <p class="note">
        {rich("webhook.facts", {
          events: webhook.events.join(", "),
          created: <Moment at={webhook.created_at} />,
        })}{" "}
        {!enabled && t(webhook.disabled_reason === "gone" ? "webhook.gone" : "webhook.paused")}{" "}
        {webhook.previous_secret_until &&
          rich("webhook.oldSecret", { until: <Moment at={webhook.previous_secret_until} /> })}
      </p>
      {secret.value && (
        <div class="made">
          <Secret label={t("webhook.newSecret", { url })} secret={secret.value} />
        </div>
      )}
      <form class="inline" onSubmit={test}>
        <label>
          {t("webhook.event")}
          <select name="event">
            {SENT_EVENTS.map((event) => (
              <option key={event}>{event}</option>
            ))}
          </select>
        </label>
        <button type="submit" disabled={!enabled}>
          {t("webhook.test")}
        </button>
      </form>
      <div class="ways">
        <button type="button" onClick={rotate}>
          {t("webhook.rotate")}
        </button>
        <button type="button" onClick={toggle}>
          {t(enabled ? "webhook.pause" : "webhook.resume")}
        </button>
        <button type="button" onClick={remove}>
          {t("shell.delete")}
        </button>
      </div>
      <Deliveries webhook={id} sent={sent.value} isEnabled={enabled} />
      <details>
        <summary>{t("webhook.wasDown")}</summary>
        <form class="inline" onSubmit={recover}>
          <label>
            {t("account.since")}
            <input type="datetime-local" name="since" required />
          </label>
          <button type="submit" disabled={!enabled}>
            {t("webhook.recover")}
          </button>
        </form>
      </details>
    </section>
  );
}
