/** How long finished things are kept. */

export const RETENTIONS = ["exports", "deliveries", "events", "handoffs"] as const;

/**
 * Days that exports and their files are kept after they finished, deliveries and events after they were
 * made, and handoffs with which no customer returned. Of those, the ones with sources or patterns stay.
 */
export type Retention = Readonly<Record<(typeof RETENTIONS)[number], number>>;

/** For a deployment that sets none. */
export const DEFAULT_RETENTION: Retention = {
  exports: 7,
  deliveries: 30,
  events: 30,
  handoffs: 90,
};
