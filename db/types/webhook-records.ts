/** What the database keeps of events and of those who want to be told of them. */

/** Each event with the fields that are its own. */
export interface EventData {
  readonly "pattern.created": {
    readonly pattern_id: number;
    readonly source_id: number;
    readonly group: string;
    readonly name: string | null;
  };
  readonly "design.applied": {
    readonly handoff_id: number;
    readonly product_id: number;
    readonly pattern_id?: number;
  };
  readonly "mockup.ready": {
    readonly pattern_id: number;
    readonly mockups: readonly {
      readonly id: number;
      readonly product: string;
      readonly url: string;
    }[];
  };
  readonly "credits.low": { readonly credits: number; readonly threshold: number };
}
export type EventName = keyof EventData;

/** A subscription to events. Its secret is not told again. */
export interface Webhook {
  readonly id: number;
  readonly account_id: number;
  readonly url: string;
  readonly events: readonly string[];
  /** Until when the secret before the last rotation signs, too; null: there is none. */
  readonly previous_until: Date | null;
  /** Null while it is in use. */
  readonly disabled_reason: DisabledReason | null;
  readonly created_at: Date;
}

/** Why nothing is sent: the owner asked for it, or the receiver answered 410. */
export const DISABLED_REASONS = ["by_request", "gone"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Where an event stands on its way to a subscription. */
export const DELIVERY_STATES = ["pending", "retrying", "delivered", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What came of an attempt to deliver. */
export interface Attempt {
  readonly attempted_at: Date;
  /** Null where no answer came. */
  readonly response_status: number | null;
  readonly response_ms: number;
  /** How the answer begins. */
  readonly response_body: string | null;
  /** Why it does not count; null where it does. */
  readonly error: string | null;
}

/** An event on its way to a subscription, with what came of the last attempt. */
export interface Delivery {
  /** A UUID. */
  readonly id: string;
  /** Grows from one delivery to the next. */
  readonly number: number;
  readonly webhook_id: number;
  readonly event: string;
  readonly status: DeliveryState;
  readonly attempts: number;
  readonly next_attempt_at: Date | null;
  readonly attempted_at: Date | null;
  readonly response_status: number | null;
  readonly response_ms: number | null;
  readonly response_body: string | null;
  readonly error: string | null;
  readonly created_at: Date;
}

/** A delivery with all that it takes to send it. */
export interface OutgoingDelivery {
  readonly id: string;
  readonly account_id: number;
  readonly webhook_id: number;
  readonly event: string;
  /** What is sent, to the byte. */
  readonly body: string;
  readonly attempts: number;
  readonly attempts_allowed: number;
  readonly url: string;
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly previous_until: Date | null;
  readonly is_disabled: boolean;
}

/** What becomes of a delivery after an attempt, or without one. */
export type Outcome =
  | { readonly status: "delivered" | "failed"; readonly attempt?: Attempt }
  | { readonly status: "retrying"; readonly attempt: Attempt; readonly next_attempt_at: Date };
