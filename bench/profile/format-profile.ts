/** A summary of profiles as tables. */

import { textColumns } from "../harness/command.ts";
import { align, formatNumber } from "../harness/format-table.ts";
import type { HotFunction, ThreadSummary } from "./summary.ts";

/** Formats a line for each thread that was busy, and one for each function. */
export function formatProfile(
  threads: readonly ThreadSummary[],
  functions: readonly HotFunction[],
): string {
  const busy = threads.filter(({ busyMs }) => busyMs > 0);
  const rows = busy.map(({ thread, busyMs, kernelMs, garbageMs, nativeMs }) => [
    thread,
    formatNumber(busyMs),
    ...[kernelMs, garbageMs, nativeMs].map((ms) => percent(ms / busyMs)),
  ]);
  const hot = functions.map(({ name, where, ms, share }) => [
    formatNumber(ms).padStart(6),
    percent(share).padStart(5),
    name,
    where,
  ]);
  return [
    ...align([["thread", "busy ms", "kernels", "garbage", "native"], ...rows]),
    "",
    "Hottest functions of all threads, by self time:",
    ...textColumns([["    ms", "share", "function", "hottest line"], ...hot]),
  ].join("\n");
}

const percent = (share: number) => `${Math.round(100 * share)} %`;
