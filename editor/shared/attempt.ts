/** What people are told: work that is under way, and why it failed. */
import { computed, signal } from "@preact/signals";
import { isOffline } from "./connection.ts";
import { t } from "./messages.ts";
import { inWords } from "./problem-words.ts";

/** What is under way or went wrong, for people to read. */
export const status = signal("");
/** What a page shows: without a network there is nothing else to do. */
export const shownStatus = computed(() => (isOffline.value ? t("status.offline") : status.value));
/** Whether work is under way. */
export const isBusy = signal(false);

interface Task {
  /** What is shown while it is under way. */
  readonly name: string;
  /** What it is done to, where the same can be done to several things. */
  readonly subject?: number | string;
  /** Returns why it failed, in words. */
  readonly explain?: (error: unknown) => string;
}

/** Tasks that are under way or wait, by their names and subjects. */
const begun = new Set<string>();
let last: Promise<void> = Promise.resolve();

/**
 * Runs a task after those that were begun before it, with its name as the status, and shows why it
 * failed. Ignores a task that is under way or waits already, as when a button is pressed twice.
 * @param task itself, or its name
 */
export function attempt(task: Task | string, work: () => Promise<void>): Promise<void> {
  const {
    name,
    subject = "",
    explain = inWords,
  } = typeof task === "string" ? { name: task } : task;
  const key = `${name} ${subject}`;
  if (begun.has(key)) return last;
  begun.add(key);
  // What became of the task before it stays to be read.
  const isNext = isBusy.value;
  isBusy.value = true;
  last = last.then(async () => {
    if (!isNext || status.value === "") status.value = name;
    try {
      await work();
      // Work may leave a message of its own.
      if (status.value === name) status.value = "";
    } catch (error) {
      status.value = explain(error);
    }
    begun.delete(key);
    isBusy.value = begun.size > 0;
  });
  return last;
}
