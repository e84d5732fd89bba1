/** The log of a process. */
export type { Logger as Log } from "pino";

/** From the most to the fewest entries. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Facts for an entry, by their names in snake_case. */
export type LogFields = Readonly<Record<string, unknown>>;
