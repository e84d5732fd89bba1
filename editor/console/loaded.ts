import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { status } from "../shared/attempt.ts";
import { t } from "../shared/messages.ts";
import { inWords } from "../shared/problem-words.ts";
import { fetchJson } from "./session.ts";

export interface Loaded<Value> {
  /** Null until it is loaded. */
  readonly value: Value | null;
  /** Loads it again. A failure is shown, and leaves what was loaded before. */
  reload(): Promise<void>;
}

/** Loads what the API has at a path, and again when the path changes. */
export function useLoaded<Value>(path: string): Loaded<Value> {
  const loaded: Signal<Value | null> = useSignal(null);
  /** Counts loads: only the last one that began is shown. */
  const loads = useRef(0);
  const reload = async () => {
    const load = ++loads.current;
    try {
      const found = await fetchJson<Value>("GET", path);
      if (load === loads.current) loaded.value = found;
    } catch (error) {
      status.value = t("shell.pageFailed", { problem: inWords(error) });
    }
  };
  useEffect(() => {
    loaded.value = null;
    void reload();
  }, [path]);
  return { value: loaded.value, reload };
}

/** Milliseconds between looks at what is under way. */
const LOOK_MS = 1000;

/** Loads what was loaded again a little later, as long as something of it is under way. */
export function useLooks(value: unknown, isUnderWay: boolean, reload: () => Promise<void>): void {
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setTimeout(() => void reload(), LOOK_MS);
    return () => clearTimeout(timer);
  }, [value]);
}
