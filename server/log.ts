/** What the processes of the service write: lines for people, and entries of JSON for programs. */

import type { Log } from "./actions/log.ts";

/** Entries of this turn of the event loop: under load many requests end in one, and each write costs. */
let entries = "";

function writeEntries(): void {
  const text = entries;
  entries = "";
  if (text !== "") process.stderr.write(text);
}
process.on("exit", writeEntries);

/** A line to standard error; standard output belongs to results. */
export function say(line: string): void {
  writeEntries();
  process.stderr.write(`${line}\n`);
}

/** An entry of the log, with its time; an error in it becomes text. */
export const log: Log = (entry) => {
  const time = new Date().toISOString();
  const text = JSON.stringify({ time, ...entry }, (_, value) =>
    value instanceof Error ? stackOf(value) : value,
  );
  if (entries === "") setImmediate(writeEntries);
  entries += `${text}\n`;
};

/** The stack of an error with those of its causes, without the values that drivers hang on them. */
function stackOf({ stack, message, cause }: Error): string {
  const own = stack ?? message;
  return cause instanceof Error ? `${own}\ncaused by ${stackOf(cause)}` : own;
}
