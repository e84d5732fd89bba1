/** A canvas with the pixels of a tile. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Order } from "../engine/protocol.ts";
import { show } from "../shared/engine.ts";
import type { Draft } from "./draft.ts";

export interface PatternCanvasProps
  extends Draft,
    Pick<Order, "lane" | "size">,
    Partial<Pick<Order, "hexCells">> {
  /** What it shows; a canvas without a label is decoration. */
  readonly label?: string;
  /** Id of the saved pattern. */
  readonly pattern?: number | undefined;
}

export function PatternCanvas({
  lane,
  size,
  hexCells = "7x4",
  source,
  design,
  label,
  pattern,
}: PatternCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // In the same turn as the label: a canvas whose picture is not the labelled one is busy.
  useLayoutEffect(() => {
    if (source !== null && canvas.current !== null) {
      show({ lane, design, source, size, hexCells }, canvas.current);
    }
  }, [lane, design, source, size, hexCells]);
  return (
    <canvas
      ref={canvas}
      data-size={size}
      data-pattern={pattern}
      {...(label && { role: "img", "aria-label": label })}
    />
  );
}
