/** The draft with all its earlier states. It is kept in the browser, so that a reload loses nothing. */
import { computed, effect, signal } from "@preact/signals";
import type { Design } from "../../engine/core.ts";
import { checkDrafts } from "../shared/engine.ts";
import { t } from "../shared/messages.ts";
import { type Draft, FIRST_DRAFT } from "./draft.ts";
import { keep, kept, keptText } from "./storage.ts";

interface History {
  readonly past: readonly Draft[];
  readonly present: Draft;
  readonly future: readonly Draft[];
}

const history = signal<History>({ past: [], present: FIRST_DRAFT, future: [] });

/** What moves while a slider is dragged: its steps are one. */
let gesture: string | null = null;

export const draft = computed(() => history.value.present);

/** Whether the design before the last change is shown. */
export const isComparing = signal(false);

/** What the picture shows. */
export const shownDraft = computed(() => {
  const { past, present } = history.value;
  return (isComparing.value && past.at(-1)) || present;
});
effect(() => {
  if (history.value) isComparing.value = false;
});
export const canUndo = computed(() => history.value.past.length > 0);
export const canRedo = computed(() => history.value.future.length > 0);

/**
 * Changes the draft.
 * @param during the control that is dragged, until `endGesture`
 */
export function change(fields: Partial<Draft>, during: string | null = null): void {
  const { past, present } = history.value;
  const isSameGesture = during !== null && during === gesture;
  gesture = during;
  history.value = {
    past: isSameGesture ? past : [...past, present],
    present: { ...present, ...fields },
    future: [],
  };
}

/** Changes the draft's design, as `change` does. */
export function changeDesign(fields: Partial<Design>, during: string | null = null): void {
  change({ design: { ...draft.value.design, ...fields } }, during);
}

/** The control was let go: its next change is another step. */
export function endGesture(): void {
  gesture = null;
}

export function undo(): void {
  const { past, present, future } = history.value;
  const before = past.at(-1);
  if (before === undefined) return;
  gesture = null;
  history.value = { past: past.slice(0, -1), present: before, future: [present, ...future] };
}

export function redo(): void {
  const { past, present, future } = history.value;
  const [next, ...rest] = future;
  if (next === undefined) return;
  gesture = null;
  history.value = { past: [...past, present], present: next, future: rest };
}

/** Milliseconds that a change may wait before it is kept: a drag makes many, and the history is long. */
const KEEP_MS = 200;

/** Steps that are kept where there is no room for all of them. */
const FEWER = 100;

/**
 * Continues what was kept under this name, and keeps every change from now on. Resolves with a sentence
 * about what could not be read; empty if all was. Rejects where the engine does not run.
 */
export async function keepHistory(name: string): Promise<string> {
  const { readable, message } = await checkHistory(
    keptText(name) === null ? null : (kept(name) ?? {}),
  );
  if (readable !== null) history.value = readable;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const keepNow = () => {
    clearTimeout(waiting);
    waiting = undefined;
    const { past, present, future } = history.value;
    if (keep(name, history.value)) return;
    // If that fails, too, the design lives as long as the page.
    keep(name, { past: past.slice(-FEWER), present, future: future.slice(0, FEWER) });
  };
  effect(() => {
    const { past, future } = history.value;
    if (past.length + future.length > 0) waiting ??= setTimeout(keepNow, KEEP_MS);
  });
  addEventListener("pagehide", () => {
    if (waiting !== undefined) keepNow();
  });
  return message;
}

interface CheckedHistory {
  /** Null where nothing can be used. */
  readonly readable: History | null;
  readonly message: string;
}

/** Leaves out what the engine cannot use: other versions kept other fields, and users may edit what is kept. */
async function checkHistory(found: unknown): Promise<CheckedHistory> {
  if (found === null) return { readable: null, message: "" };
  const { past, present, future } = found as Record<string, unknown>;
  const steps = [listOf(past), [present], listOf(future)];
  const problems = await checkDrafts(steps.flat());
  let at = 0;
  const [before = [], now = [], after = []] = steps.map((some) =>
    some.filter(() => problems[at++] === null),
  ) as Draft[][];
  const all = [...before, ...now, ...after];
  if (all.length === 0) {
    const message = t("status.lost");
    return { readable: null, message };
  }
  // Where the last step is lost, the one before it takes its place.
  const place = Math.min(Math.max(before.length + now.length - 1, 0), all.length - 1);
  const readable = { past: all.slice(0, place), present: all[place], future: all.slice(place + 1) };
  const isWhole = problems.every((problem) => problem === null);
  const message = isWhole ? "" : t("status.stepsLost");
  return { readable, message };
}

const listOf = (steps: unknown): readonly unknown[] => (Array.isArray(steps) ? steps : []);
