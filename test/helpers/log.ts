/** A log whose entries a test can inspect. */
import type { Log } from "../../server/actions/log.ts";
import { createLog } from "../../server/log.ts";

// biome-ignore lint/suspicious/noExplicitAny: entries have fields of all kinds
export type LogEntry = Readonly<Record<string, any>>;

export interface TestLog {
  readonly log: Log;
  /** Entries so far. */
  readonly entries: readonly LogEntry[];
}

/** A log that keeps its entries, as a reader of its lines parses them. */
export function testLog(): TestLog {
  const entries: LogEntry[] = [];
  return { log: createLog("debug", { write: (line) => entries.push(JSON.parse(line)) }), entries };
}
