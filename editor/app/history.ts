/** The draft with all its earlier states. It is kept in the browser, so that a reload loses nothing. */
import { computed, effect, signal } from "@preact/signals";
import type { Design } from "../../engine/core.ts";
import { type Draft, FIRST_DRAFT } from "./draft.ts";

interface History {
  readonly past: readonly Draft[];
  readonly present: Draft;
  readonly future: readonly Draft[];
}

const history = signal<History>({ past: [], present: FIRST_DRAFT, future: [] });

/** What moves while a slider is dragged: its steps are one. */
let gesture: string | null = null;

export const draft = computed(() => history.value.present);
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

/** Continues what was kept under this name, and keeps every change from now on. */
export function keepHistory(name: string): void {
  try {
    const kept = localStorage.getItem(name);
    if (kept !== null) history.value = JSON.parse(kept);
  } catch {
    // Browsers may forbid it to a page in a frame.
  }
  effect(() => {
    if (history.value.past.length + history.value.future.length === 0) return;
    try {
      localStorage.setItem(name, JSON.stringify(history.value));
    } catch {
      // The storage is full or forbidden: the design lives as long as the page.
    }
  });
}
