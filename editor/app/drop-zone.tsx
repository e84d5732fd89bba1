/** Takes pictures that are dropped anywhere on the page, or pasted. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { t } from "../shared/messages.ts";
import { takeFile } from "./take-file.ts";

/** Whether a file is held over the page. */
const isOver = signal(false);

export function DropZone() {
  useEffect(() => {
    const entries = Object.entries(LISTENERS) as [keyof typeof LISTENERS, EventListener][];
    for (const [type, listener] of entries) addEventListener(type, listener);
    return () => {
      for (const [type, listener] of entries) removeEventListener(type, listener);
    };
  }, []);
  return isOver.value && <p class="drop">{t("pictures.dropHere")}</p>;
}

const LISTENERS = {
  dragover(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes("Files")) return;
    // Without it the browser would show the file in place of this page.
    event.preventDefault();
    isOver.value = true;
  },
  dragleave({ relatedTarget }: DragEvent): void {
    // The pointer has left the page, and not only an element of it.
    if (relatedTarget === null) isOver.value = false;
  },
  drop(event: DragEvent): void {
    isOver.value = false;
    take(event, event.dataTransfer);
  },
  paste(event: ClipboardEvent): void {
    take(event, event.clipboardData);
  },
};

function take(event: Event, data: DataTransfer | null): void {
  const [file] = data?.files ?? [];
  if (file === undefined) return;
  event.preventDefault();
  void takeFile(file);
}
