/** What the processes of the service write: lines for people, and entries of JSON for programs. */

import type { Log } from "./actions/log.ts";

/** A line to standard error; standard output belongs to results. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** An entry of the log, with its time; an error in it becomes text. */
export const log: Log = (entry) => {
  const time = new Date().toISOString();
  say(
    JSON.stringify({ time, ...entry }, (_, value) =>
      value instanceof Error ? stackOf(value) : value,
    ),
  );
};

/** The stack of an error with those of its causes, without the values that drivers hang on them. */
function stackOf({ stack, message, cause }: Error): string {
  const own = stack ?? message;
  return cause instanceof Error ? `${own}\ncaused by ${stackOf(cause)}` : own;
}
