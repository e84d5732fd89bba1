/** The draft with all its earlier states. It is kept in the browser, so that a reload loses nothing. */
import { computed, effect, signal } from "@preact/signals";
import type { Design } from "../../engine/core.ts";
import { type Draft, FIRST_DRAFT, isDraft } from "./draft.ts";

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

/** Returns the text that is kept under this name; null if none is. */
function keptText(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    // Browsers may forbid it to a page in a frame.
    return null;
  }
}

/** Returns the history that a text holds, or null if it holds none. */
function readHistory(text: string): History | null {
  try {
    const { past, present, future } = JSON.parse(text);
    return [...past, present, ...future].every(isDraft) ? { past, present, future } : null;
  } catch {
    return null;
  }
}

/**
 * Continues what was kept under this name, and keeps every change from now on. Returns whether something
 * was kept that cannot be read.
 */
export function keepHistory(name: string): boolean {
  const text = keptText(name);
  const kept = text === null ? null : readHistory(text);
  if (kept !== null) history.value = kept;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const keep = () => {
    clearTimeout(waiting);
    waiting = undefined;
    try {
      localStorage.setItem(name, JSON.stringify(history.value));
    } catch {
      // The storage is full or forbidden: the design lives as long as the page.
    }
  };
  effect(() => {
    const { past, future } = history.value;
    if (past.length + future.length > 0) waiting ??= setTimeout(keep, KEEP_MS);
  });
  addEventListener("pagehide", () => {
    if (waiting !== undefined) keep();
  });
  return text !== null && kept === null;
}
