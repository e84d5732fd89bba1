/** An endless plane of the pattern, which is moved and zoomed. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Size } from "../../engine/core.ts";
import { pictures } from "../shared/engine.ts";
import { t } from "../shared/messages.ts";
import type { Draft } from "./draft.ts";
import { PatternCanvas, type PatternCanvasProps } from "./pattern-canvas.tsx";
import { followPointers } from "./pointers.ts";

export interface SheetProps extends Pick<Draft, "design" | "surfaceEffects"> {
  readonly source: PatternCanvasProps["source"];
  readonly label: string;
  readonly pattern: number | undefined;
  /** Whether the sheet has effects, so that it is more than a repeated tile. */
  readonly hasEffects: boolean;
}

/** A corner of a repeat, in pixels of the canvas from its middle, and the repeats that are seen by its longer side. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly across: number;
}

const START: Place = { x: 0, y: 0, across: 2 };
const ACROSS = { least: 0.5, most: 12 } as const;
const ZOOM = 1.25;
/** Part of the sheet's width by which an arrow key moves it. */
const STEP = 0.1;

/**
 * Returns the pixels per inch of a sheet whose tiles have this edge in pixels: effects, which are measured in
 * millimetres, look as on a tile of 1024 pixels at 300 pixels per inch.
 */
export const proofDpi = (side: number) => Math.min((300 * side) / 1024, 600);

/** Longer sides of repeats that are ordered. */
const SIZES = [512, 1024] as const;

export function Sheet({ source, design, surfaceEffects, label, pattern, hasEffects }: SheetProps) {
  const frame = useRef<HTMLDivElement>(null);
  const plane = useRef<HTMLCanvasElement>(null);
  const place = useSignal(START);
  const width = useSignal(0);
  const repeat = useSignal<Size | null>(null);
  // The longer side of a repeat on the plane.
  const side = Math.max(16, Math.round(width.value / place.value.across));
  const size = SIZES.find((edge) => edge >= side) ?? SIZES[1];
  const drawn = pictures.value;

  const zoom = (factor: number, at = { x: 0, y: 0 }) => {
    const { x, y, across } = place.value;
    const next = Math.min(Math.max(across / factor, ACROSS.least), ACROSS.most);
    const ratio = across / next;
    place.value = { across: next, x: at.x + (x - at.x) * ratio, y: at.y + (y - at.y) * ratio };
  };
  const move = (dx: number, dy: number) => {
    const { x, y, across } = place.value;
    place.value = { across, x: x + dx, y: y + dy };
  };

  useEffect(() => {
    const { current } = frame;
    if (current === null) return;
    const observer = new ResizeObserver(() => {
      width.value = Math.round(current.clientWidth * devicePixelRatio);
    });
    observer.observe(current);
    const fromMiddle = (x: number, y: number) => {
      const box = current.getBoundingClientRect();
      return {
        x: (x - box.left - box.width / 2) * devicePixelRatio,
        y: (y - box.top - box.height / 2) * devicePixelRatio,
      };
    };
    const stop = followPointers(
      current,
      ({ centre, dx, dy, scale }) => {
        move(dx * devicePixelRatio, dy * devicePixelRatio);
        if (scale !== 1) zoom(scale, fromMiddle(centre.x, centre.y));
      },
      () => undefined,
    );
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      zoom(ZOOM ** (-event.deltaY / 100), fromMiddle(event.clientX, event.clientY));
    };
    current.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      observer.disconnect();
      stop();
      current.removeEventListener("wheel", onWheel);
    };
  }, []);

  useEffect(() => {
    if (plane.current !== null) {
      repeat.value = drawPlane(plane.current, width.value, side, place.value) ?? repeat.value;
    }
  }, [drawn, side, place.value, width.value]);

  const onKey = (event: KeyboardEvent) => {
    const step = STEP * width.value;
    const act = {
      ArrowLeft: () => move(step, 0),
      ArrowRight: () => move(-step, 0),
      ArrowUp: () => move(0, step),
      ArrowDown: () => move(0, -step),
      "+": () => zoom(ZOOM),
      "-": () => zoom(1 / ZOOM),
    }[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no place to drag */}
      <div
        ref={frame}
        class="sheet"
        role="group"
        aria-label={t("sheet.label")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the sheet
        tabIndex={0}
        onKeyDown={onKey}
      >
        <PatternCanvas
          lane="pattern"
          class="hidden"
          fields={{ size, tile: "cell" }}
          {...{ source, design }}
        />
        <canvas
          ref={plane}
          data-pattern={pattern}
          {...(!hasEffects && { role: "img", "aria-label": label })}
        />
        {hasEffects && repeat.value !== null && (
          <PatternCanvas
            lane="sheet"
            class="finished"
            fields={{
              mode: "surface",
              size: side,
              tile: "cell",
              dpi: proofDpi(side),
              surface_width: width.value,
              surface_height: width.value,
              offset: offsetOf(width.value, repeat.value, place.value),
              ...(surfaceEffects && { surface_effects: [...surfaceEffects] }),
            }}
            {...{ source, design, label, pattern }}
          />
        )}
      </div>
      <div class="zoom">
        <button type="button" onClick={() => zoom(1 / ZOOM)}>
          {t("sheet.out")}
        </button>
        <button
          type="button"
          onClick={() => {
            place.value = START;
          }}
        >
          {t("sheet.middle")}
        </button>
        <button type="button" onClick={() => zoom(ZOOM)}>
          {t("sheet.in")}
        </button>
      </div>
    </>
  );
}

/** Returns where a repeat begins on the canvas, within the first repeat. */
function offsetOf(width: number, repeat: Size, { x, y }: Place) {
  const within = (value: number, side: number) =>
    ((Math.round(value + width / 2) % side) + side) % side;
  return { x: within(x, repeat.width), y: within(y, repeat.height) };
}

/**
 * Draws the plane from the canvas of its repeat, which stands before it. Returns the size of a repeat on the
 * plane, or null before there is one.
 */
function drawPlane(
  canvas: HTMLCanvasElement,
  width: number,
  side: number,
  place: Place,
): Size | null {
  const cell = canvas.previousElementSibling as HTMLCanvasElement;
  if (width === 0 || cell.width === 0) return null;
  Object.assign(canvas, { width, height: width });
  const context = canvas.getContext("2d");
  const pattern = context?.createPattern(cell, "repeat");
  if (!context || !pattern) return null;
  const scale = side / Math.max(cell.width, cell.height);
  const repeat = { width: cell.width * scale, height: cell.height * scale };
  const { x, y } = offsetOf(width, repeat, place);
  pattern.setTransform(new DOMMatrix([scale, 0, 0, scale, x, y]));
  context.imageSmoothingQuality = "high";
  context.fillStyle = pattern;
  context.fillRect(0, 0, width, width);
  return repeat;
}
