/** A canvas with the pixels of a picture. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Order, ShownSource } from "../engine/protocol.ts";
import { show } from "../shared/engine.ts";

export interface PatternCanvasProps extends Pick<Order, "lane" | "fields" | "design"> {
  readonly source: ShownSource | null;
  /** What it shows; a canvas without a label is decoration. */
  readonly label?: string | undefined;
  /** Id of the saved pattern. */
  readonly pattern?: number | undefined;
  readonly class?: string;
}

export function PatternCanvas({
  lane,
  fields,
  source,
  design,
  label,
  pattern,
  ...attributes
}: PatternCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // Both are made anew in every turn.
  const key = JSON.stringify([design, fields]);
  // In the same turn as the label: a canvas whose picture is not the labelled one is busy.
  useLayoutEffect(() => {
    if (source !== null && canvas.current !== null) {
      show({ lane, design, source, fields }, canvas.current);
    }
  }, [lane, source, key]);
  return (
    <canvas
      ref={canvas}
      data-pattern={pattern}
      {...attributes}
      {...(label && { role: "img", "aria-label": label })}
    />
  );
}
