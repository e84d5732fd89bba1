/** What people are told: work that is under way, and why it failed. */
import { computed, signal } from "@preact/signals";
import { isOffline } from "./connection.ts";
import { t } from "./messages.ts";
import { inWords } from "./problem-words.ts";

/** What is under way or went wrong, for people to read. */
export const status = signal("");
/** What a page shows: without a network there is nothing else to do. */
export const shownStatus = computed(() => (isOffline.value ? t("status.offline") : status.value));
/** Whether something is under way that must not be started twice. */
export const isBusy = signal(false);

/** Runs work with its name as the status, and shows why it failed. */
export async function attempt(
  name: string,
  work: () => Promise<void>,
  explain: (error: unknown) => string = inWords,
): Promise<void> {
  if (isBusy.value) return;
  isBusy.value = true;
  status.value = name;
  try {
    await work();
    // Work may leave a message of its own.
    if (status.value === name) status.value = "";
  } catch (error) {
    status.value = explain(error);
  } finally {
    isBusy.value = false;
  }
}
