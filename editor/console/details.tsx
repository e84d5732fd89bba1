import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

interface DetailsProps {
  readonly summary: string;
  /** Returns what is shown, and loaded, once it is open. */
  readonly children: () => ComponentChildren;
}

export function Details({ summary, children }: DetailsProps) {
  const isOpen = useSignal(false);
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>{summary}</summary>
      {isOpen.value && children()}
    </details>
  );
}
