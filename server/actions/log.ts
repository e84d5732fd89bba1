/** The type of logs. */
export type { Logger as Log } from "pino";

/** From most to least verbose. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Fields of an entry, in snake_case. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The fields of a finished job, with its result in a word or two. */
export type JobResult = LogFields & { readonly status: string };
