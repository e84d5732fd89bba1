/** A part of an endless plane, which is moved and zoomed. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../shared/messages.ts";
import { followPointers } from "./pointers.ts";

/** Where the plane's origin is, in widths of the frame from its middle, and how large the plane is drawn. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export interface PlaneProps {
  readonly start: Place;
  readonly zoom: { readonly least: number; readonly most: number };
  /** Returns the picture of a place, for a frame of so many pixels. */
  readonly children: (place: Place, width: number) => ComponentChildren;
}

/** Factor of a zoom button. */
const ZOOM = 1.25;
/** Part of the frame's width by which an arrow key moves the plane. */
const STEP = 0.1;

export function Plane({ start, zoom: { least, most }, children }: PlaneProps) {
  const frame = useRef<HTMLDivElement>(null);
  const place = useSignal(start);
  const width = useSignal(0);

  const zoomBy = (factor: number, at = { x: 0, y: 0 }) => {
    const { x, y, zoom } = place.value;
    const next = Math.min(Math.max(zoom * factor, least), most);
    const ratio = next / zoom;
    place.value = { zoom: next, x: at.x + (x - at.x) * ratio, y: at.y + (y - at.y) * ratio };
  };
  const move = (dx: number, dy: number) => {
    const { x, y, zoom } = place.value;
    place.value = { zoom, x: x + dx, y: y + dy };
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
      return { x: (x - box.left) / box.width - 0.5, y: (y - box.top) / box.height - 0.5 };
    };
    const stop = followPointers(
      current,
      ({ centre, dx, dy, scale }) => {
        move(dx / current.clientWidth, dy / current.clientWidth);
        if (scale !== 1) zoomBy(scale, fromMiddle(centre.x, centre.y));
      },
      () => undefined,
    );
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      zoomBy(ZOOM ** (-event.deltaY / 100), fromMiddle(event.clientX, event.clientY));
    };
    current.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      observer.disconnect();
      stop();
      current.removeEventListener("wheel", onWheel);
    };
  }, []);

  const onKey = (event: KeyboardEvent) => {
    const act = {
      ArrowLeft: () => move(STEP, 0),
      ArrowRight: () => move(-STEP, 0),
      ArrowUp: () => move(0, STEP),
      ArrowDown: () => move(0, -STEP),
      "+": () => zoomBy(ZOOM),
      "-": () => zoomBy(1 / ZOOM),
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
        class="plane"
        role="group"
        aria-label={t("sheet.label")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the plane
        tabIndex={0}
        onKeyDown={onKey}
      >
        {children(place.value, width.value)}
      </div>
      <div class="zoom">
        <button type="button" onClick={() => zoomBy(1 / ZOOM)}>
          {t("sheet.out")}
        </button>
        <button
          type="button"
          onClick={() => {
            place.value = start;
          }}
        >
          {t("sheet.start")}
        </button>
        <button type="button" onClick={() => zoomBy(ZOOM)}>
          {t("sheet.in")}
        </button>
      </div>
    </>
  );
}
