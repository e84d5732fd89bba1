/** Deliveries of a webhook: filter, look into, send again. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Delivery, DeliveryDetails } from "../../server/actions/delivery-fields.ts";
import { attempt } from "../shared/attempt.ts";
import { SENT_EVENTS } from "./events.ts";
import { SelectField } from "./fields.tsx";
import { useLooks } from "./loaded.ts";
import { Moment } from "./moments.tsx";
import { ShowMore, usePaged } from "./paged.tsx";
import { fetchJson, request } from "./session.ts";

const STATES: Readonly<Record<Delivery["status"], string>> = {
  pending: "On its way",
  retrying: "Failed, will be tried again",
  delivered: "Delivered",
  failed: "Failed",
};

const KINDS = {
  "": "All events",
  ...Object.fromEntries(SENT_EVENTS.map((event) => [event, event])),
};

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
    <section aria-label="Deliveries">
      <h3>Deliveries</h3>
      <div class="inline">
        <SelectField label="Status" chosen={state} titles={{ "": "All", ...STATES }} />
        <SelectField label="Kind" chosen={event} titles={KINDS} />
      </div>
      {rows?.length === 0 && (
        <p class="note">
          {isFiltered ? "No delivery is like this." : "Nothing was sent yet. Send a test."}
        </p>
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
    void attempt("Loading the delivery …", async () => {
      details.value = await fetchJson<DeliveryDetails>("GET", `deliveries/${id}`);
    });
  useEffect(() => {
    if (isOpen.value) load();
  }, [isOpen.value, attempts]);
  const redeliver = () =>
    void attempt("Sending it again …", async () => {
      await request("POST", `deliveries/${id}/redeliver`, { creates: true });
      await onSend();
    });
  // A disabled button would lose the focus of whoever pressed it.
  const mayRedeliver = isEnabled && status !== "pending";
  return (
    <li>
      <div>
        <strong>{event}</strong> <span class={`state ${status}`}>{STATES[status]}</span>
        <p class="note">
          <Moment at={delivery.created_at} />, {attempts} {attempts === 1 ? "attempt" : "attempts"}
          {error && `: ${error}`}.
          {status === "retrying" && next_attempt_at && (
            <>
              {" "}
              The next one is at <Moment at={next_attempt_at} />.
            </>
          )}
        </p>
        <details
          onToggle={({ currentTarget }) => {
            isOpen.value = currentTarget.open;
          }}
        >
          <summary>Payload and attempts</summary>
          {details.value && <Details details={details.value} />}
        </details>
      </div>
      <button
        type="button"
        aria-disabled={!mayRedeliver}
        onClick={() => mayRedeliver && redeliver()}
      >
        Redeliver
      </button>
    </li>
  );
}

function Details({ details: { id, body, history } }: { readonly details: DeliveryDetails }) {
  return (
    <>
      <p class="note">Delivery {id}</p>
      <pre>{JSON.stringify(JSON.parse(body), null, 2)}</pre>
      <ol>
        {history.map((attempt) => (
          <li key={attempt.number}>
            <Moment at={attempt.attempted_at} />:{" "}
            {attempt.response_status === null
              ? attempt.error
              : `answered ${attempt.response_status} after ${attempt.response_ms} ms`}
            {attempt.response_body && <pre>{attempt.response_body}</pre>}
          </li>
        ))}
      </ol>
    </>
  );
}
