import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { messageOf, status } from "../shared/attempt.ts";
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
  const reload = async () => {
    try {
      loaded.value = await fetchJson<Value>("GET", path);
    } catch (error) {
      status.value = `This page could not be loaded: ${messageOf(error)}.`;
    }
  };
  useEffect(() => {
    loaded.value = null;
    void reload();
  }, [path]);
  return { value: loaded.value, reload };
}
