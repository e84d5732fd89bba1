/** Deliveries of a webhook: filter, look into, send again. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Delivery, DeliveryDetails } from "../../server/actions/delivery-fields.ts";
import { attempt } from "../shared/attempt.ts";
import { formatNumber, t } from "../shared/messages.ts";
import { inWords } from "../shared/problem-words.ts";
import { SENT_EVENTS } from "./events.ts";
import { SelectField } from "./fields.tsx";
import { useLooks } from "./loaded.ts";
import { Moment } from "./moments.tsx";
import { ShowMore, usePaged } from "./paged.tsx";
import { rich } from "./rich.ts";
import { fetchJson, request } from "./session.ts";

const STATES: readonly Delivery["status"][] = ["pending", "retrying", "delivered", "failed"];

/** The names of events are their titles. */
const KINDS = Object.fromEntries(SENT_EVENTS.map((event) => [event, event]));

const states = () => Object.fromEntries(STATES.map((state) => [state, t(`delivery.${state}`)]));

/** Rows at first, and more with each wish for more. */
const ROWS = 10;

interface DeliveriesProps {
  readonly webhook: number;
  /** Another number when something was sent. */
  readonly sent: number;
  readonly isEnabled: boolean;
}

export function Deliveries({ webhook, sent, isEnabled }: DeliveriesProps) {
  const state = useSignal("");
  const event = useSignal("");
  const query = new URLSearchParams({
    ...(state.value && { status: state.value }),
    ...(event.value && { event: event.value }),
  });
  const list = usePaged<Delivery>(`webhooks/${webhook}/deliveries?${query}`, ROWS, sent);
  const { rows, reload } = list;
  useLooks(rows, rows?.some(({ status }) => status === "pending") === true, reload);
  const isFiltered = state.value !== "" || event.value !== "";
  return (
    <section aria-label={t("deliveries.title")}>
      <h3>{t("deliveries.title")}</h3>
      <div class="inline">
        <SelectField
          label={t("deliveries.status")}
          chosen={state}
          titles={{ "": t("deliveries.all"), ...states() }}
        />
        <SelectField
          label={t("deliveries.kind")}
          chosen={event}
          titles={{ "": t("deliveries.allKinds"), ...KINDS }}
        />
      </div>
      {rows?.length === 0 && (
        <p class="note">{t(isFiltered ? "deliveries.noMatch" : "deliveries.none")}</p>
      )}
      <ul class="rows">
        {rows?.map((delivery) => (
          <Row key={delivery.id} delivery={delivery} isEnabled={isEnabled} onSend={reload} />
        ))}
      </ul>
      <ShowMore list={list} what="deliveries" />
    </section>
  );
}

interface RowProps {
  readonly delivery: Delivery;
  readonly isEnabled: boolean;
  readonly onSend: () => Promise<void>;
}

function Row({ delivery, isEnabled, onSend }: RowProps) {
  const { id, event, status, attempts, error, next_attempt_at } = delivery;
  const details = useSignal<DeliveryDetails | null>(null);
  const isOpen = useSignal(false);
  const load = () =>
    void attempt({ name: t("deliveries.loading"), subject: `${id} ${attempts}` }, async () => {
      details.value = await fetchJson<DeliveryDetails>("GET", `deliveries/${id}`);
    });
  useEffect(() => {
    if (isOpen.value) load();
  }, [isOpen.value, attempts]);
  // Its webhook has been paused elsewhere.
  const explain = (error: unknown) => inWords(error, { conflict: "problem.changed" });
  const redeliver = () =>
    void attempt({ name: t("deliveries.redelivering"), subject: id, explain }, async () => {
      await request("POST", `deliveries/${id}/redeliver`, { creates: true });
      await onSend();
    });
  // A disabled button would lose the focus of whoever pressed it.
  const mayRedeliver = isEnabled && status !== "pending";
  return (
    <li>
      <div>
        <strong>{event}</strong> <span class={`state ${status}`}>{t(`delivery.${status}`)}</span>
        <p class="note">
          {rich(error ? "deliveries.error" : "deliveries.attempts", {
            created: <Moment at={delivery.created_at} />,
            count: attempts,
            error,
          })}{" "}
          {status === "retrying" &&
            next_attempt_at &&
            rich("deliveries.next", { at: <Moment at={next_attempt_at} /> })}
        </p>
        <details
          onToggle={({ currentTarget }) => {
            isOpen.value = currentTarget.open;
          }}
        >
          <summary>{t("deliveries.details")}</summary>
          {details.value && <Details details={details.value} />}
        </details>
      </div>
      <button
        type="button"
        aria-disabled={!mayRedeliver}
        onClick={() => mayRedeliver && redeliver()}
      >
        {t("deliveries.redeliver")}
      </button>
    </li>
  );
}

const milliseconds = (value: number) => formatNumber(value, { style: "unit", unit: "millisecond" });

function Details({ details: { id, body, history } }: { readonly details: DeliveryDetails }) {
  return (
    <>
      <p class="note">{t("deliveries.one", { id })}</p>
      <pre>{JSON.stringify(JSON.parse(body), null, 2)}</pre>
      <ol>
        {history.map((attempt) => (
          <li key={attempt.number}>
            <Moment at={attempt.attempted_at} />:{" "}
            {attempt.response_status === null
              ? attempt.error
              : t("deliveries.answered", {
                  status: String(attempt.response_status),
                  time: milliseconds(attempt.response_ms ?? 0),
                })}
            {attempt.response_body && <pre>{attempt.response_body}</pre>}
          </li>
        ))}
      </ol>
    </>
  );
}
