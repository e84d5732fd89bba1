/** The picture with the part of it that fills the fundamental domain, which is moved, turned and scaled. */
import { useEffect, useRef } from "preact/hooks";
import { motifOutline } from "../../engine/motif-outline.ts";
import type { ShownSource } from "../engine/protocol.ts";
import { t } from "../shared/messages.ts";
import { draft, endGesture } from "./history.ts";
import { changeMotif, scaleBy, turnBy } from "./motif-change.ts";
import { followPointers, type Point, vector } from "./pointers.ts";
import { SourcePicture } from "./source-picture.tsx";

/** Longest side of the picture in pixels, at most. */
const SIDE = 640;
/** Width of the drawing, in its own units. */
const WIDTH = 100;

type Handle = "move" | "turn" | "scale";

export function MotifStage({ source }: { readonly source: ShownSource }) {
  const stage = useRef<HTMLDivElement>(null);
  const unit = WIDTH / source.width;
  const height = source.height * unit;
  const corners = motifOutline(draft.value.design, source).map(({ x, y }) =>
    at(x * unit, y * unit),
  );
  const { motif } = draft.value.design;
  const centre = at(motif.x * WIDTH, motif.y * height);
  const inside = ({ x, y }: Point) => at(clamp(x, 4, WIDTH - 4), clamp(y, 4, height - 4));
  const [turn, scale] = handlesOf(corners, centre).map(inside);
  const outline = `M${corners.map(({ x, y }) => `${x} ${y}`).join("L")}Z`;
  const lines = `${outline}M${centre.x} ${centre.y}L${turn.x} ${turn.y}`;

  useEffect(() => {
    const { current } = stage;
    if (current === null) return;
    let handle: Handle = "move";
    const grab = ({ target }: Event) => {
      const found = target instanceof Element ? target.closest("[data-handle]") : null;
      handle = (found?.getAttribute("data-handle") as Handle | null | undefined) ?? "move";
    };
    current.addEventListener("pointerdown", grab);
    const stop = followPointers(
      current,
      ({ centre, dx, dy, scale, turn }) => {
        const box = current.getBoundingClientRect();
        const { motif } = draft.value.design;
        if (handle === "move") {
          const [x, y] = [motif.x + dx / box.width, motif.y + dy / box.height];
          changeMotif({ ...motif, x, y, ...scaleBy(motif, 1 / scale), ...turnBy(motif, turn) });
          return;
        }
        const middle = at(box.left + motif.x * box.width, box.top + motif.y * box.height);
        const before = vector(middle, at(centre.x - dx, centre.y - dy));
        const after = vector(middle, centre);
        if (handle === "turn")
          changeMotif({ ...motif, ...turnBy(motif, after.angle - before.angle) });
        else
          changeMotif({ ...motif, ...scaleBy(motif, before.length / Math.max(1, after.length)) });
      },
      endGesture,
    );
    return () => {
      current.removeEventListener("pointerdown", grab);
      stop();
    };
  }, []);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no place to drag
    <div
      ref={stage}
      class="motif"
      role="group"
      aria-label={t("motif.part")}
      aria-describedby="motif-keys"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the part
      tabIndex={0}
      onKeyDown={onKey}
      onKeyUp={endGesture}
    >
      <SourcePicture source={source} side={SIDE} />
      <svg viewBox={`0 0 ${WIDTH} ${height}`} aria-hidden="true">
        <path class="shade" fill-rule="evenodd" d={`M0 0H${WIDTH}V${height}H0Z${outline}`} />
        <path class="outline edge" d={lines} />
        <path class="outline" d={lines} />
        {(["turn", "scale"] as const).map((name) => {
          const { x, y } = name === "turn" ? turn : scale;
          return (
            <g key={name} data-handle={name} transform={`translate(${x} ${y})`}>
              <circle class="reach" r="7" />
              {name === "turn" ? (
                <circle r="2.4" />
              ) : (
                <rect x="-2.2" y="-2.2" width="4.4" height="4.4" />
              )}
            </g>
          );
        })}
      </svg>
    </div>
  );
}

const at = (x: number, y: number): Point => ({ x, y });
const clamp = (value: number, least: number, most: number) =>
  Math.min(Math.max(value, least), most);

/** Returns where the part is turned, beyond the middle of its first edge, and scaled, at its farthest corner. */
function handlesOf(corners: readonly Point[], centre: Point): readonly Point[] {
  const far = corners.reduce((best, corner) =>
    vector(centre, corner).length > vector(centre, best).length ? corner : best,
  );
  // Opposite of the corner, so that the two are never in each other's way.
  return [at(2 * centre.x - far.x, 2 * centre.y - far.y), far];
}

/** Of the picture's side, and degrees; five times as far with shift. */
const STEP = { move: 0.01, turn: 1, scale: 1.03 } as const;

function onKey(event: KeyboardEvent): void {
  const { key, shiftKey, ctrlKey, metaKey } = event;
  if (ctrlKey || metaKey) return;
  const times = shiftKey ? 5 : 1;
  const { motif } = draft.value.design;
  const step = STEP.move * times;
  const moves: Readonly<Record<string, Partial<typeof motif>>> = {
    ArrowLeft: { x: motif.x - step },
    ArrowRight: { x: motif.x + step },
    ArrowUp: { y: motif.y - step },
    ArrowDown: { y: motif.y + step },
    "+": scaleBy(motif, STEP.scale ** times),
    "-": scaleBy(motif, STEP.scale ** -times),
    ",": turnBy(motif, -STEP.turn * times),
    ".": turnBy(motif, STEP.turn * times),
  };
  const move = moves[key];
  if (move === undefined) return;
  event.preventDefault();
  changeMotif({ ...motif, ...move });
}
