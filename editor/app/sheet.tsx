/** An endless plane of the pattern. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Size } from "../../engine/core.ts";
import { pictures } from "../shared/engine.ts";
import type { Draft } from "./draft.ts";
import { PatternCanvas, type PatternCanvasProps } from "./pattern-canvas.tsx";
import { type Place, Plane } from "./plane.tsx";

export interface SheetProps extends Pick<Draft, "design" | "surfaceEffects"> {
  readonly source: PatternCanvasProps["source"];
  readonly label: string;
  readonly pattern: number | undefined;
  /** Whether the sheet has effects, so that it is more than a repeated tile. */
  readonly hasEffects: boolean;
}

/** At zoom 1 two repeats are as wide as the frame. */
const START: Place = { x: 0, y: 0, zoom: 1 };
const ACROSS = 2;
const ZOOM = { least: 1 / 6, most: 4 } as const;

/**
 * Returns the pixels per inch of a sheet whose tiles have this edge in pixels: effects, which are measured in
 * millimetres, look as on a tile of 1024 pixels at 300 pixels per inch.
 */
export const proofDpi = (side: number) => Math.min((300 * side) / 1024, 600);

/** Longer sides of repeats that are ordered. */
const SIZES = [512, 1024] as const;

export const Sheet = (props: SheetProps) => (
  <Plane start={START} zoom={ZOOM}>
    {(place, width) => <Repeats {...props} place={place} width={width} />}
  </Plane>
);

interface RepeatsProps extends SheetProps {
  readonly place: Place;
  /** Of the frame, in pixels. */
  readonly width: number;
}

function Repeats({ place, width, hasEffects, surfaceEffects, ...picture }: RepeatsProps) {
  const { source, design, label, pattern } = picture;
  const plane = useRef<HTMLCanvasElement>(null);
  const repeat = useSignal<Size | null>(null);
  // The longer side of a repeat on the plane.
  const side = Math.max(16, Math.round((width * place.zoom) / ACROSS));
  const size = SIZES.find((edge) => edge >= side) ?? SIZES[1];
  const drawn = pictures.value;
  useEffect(() => {
    if (plane.current !== null) {
      repeat.value = drawPlane(plane.current, width, side, place) ?? repeat.value;
    }
  }, [drawn, side, place, width]);
  return (
    <>
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
            surface_width: width,
            surface_height: width,
            offset: offsetOf(width, repeat.value, place),
            ...(surfaceEffects && { surface_effects: [...surfaceEffects] }),
          }}
          {...picture}
        />
      )}
    </>
  );
}

/** Returns where a repeat begins on the canvas, within the first repeat. */
function offsetOf(width: number, repeat: Size, { x, y }: Place) {
  const within = (share: number, side: number) =>
    ((Math.round((share + 0.5) * width) % side) + side) % side;
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
