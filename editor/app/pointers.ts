/** What fingers, pens and mice do to something that they hold: move, scale and turn it. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A movement of the held thing, in pixels of the window and degrees clockwise. */
export interface Grip {
  /** Between the pointers, after the movement. */
  readonly centre: Point;
  readonly dx: number;
  readonly dy: number;
  readonly scale: number;
  readonly turn: number;
}

/**
 * Follows the pointers that go down on an element: one moves, two also scale and turn.
 * @param onEnd called once the last pointer has left
 */
export function followPointers(
  element: Element,
  onMove: (grip: Grip) => void,
  onEnd: () => void,
): () => void {
  const held = new Map<number, Point>();
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0 || held.size === 2) return;
    element.setPointerCapture(event.pointerId);
    held.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };
  const onPointerMove = (event: PointerEvent) => {
    const before = held.get(event.pointerId);
    if (before === undefined) return;
    const after = { x: event.clientX, y: event.clientY };
    held.set(event.pointerId, after);
    const [other] = [...held].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    onMove(gripOf(before, after, other));
  };
  const onLeave = (event: PointerEvent) => {
    if (held.delete(event.pointerId) && held.size === 0) onEnd();
  };
  const listeners = {
    pointerdown: onDown,
    pointermove: onPointerMove,
    pointerup: onLeave,
    pointercancel: onLeave,
  };
  const entries = Object.entries(listeners) as [keyof typeof listeners, EventListener][];
  for (const [type, listener] of entries) element.addEventListener(type, listener);
  return () => {
    for (const [type, listener] of entries) element.removeEventListener(type, listener);
  };
}

function gripOf(before: Point, after: Point, other: Point | undefined): Grip {
  const [dx, dy] = [after.x - before.x, after.y - before.y];
  if (other === undefined) return { centre: after, dx, dy, scale: 1, turn: 0 };
  const [from, to] = [vector(other, before), vector(other, after)];
  return {
    centre: { x: (after.x + other.x) / 2, y: (after.y + other.y) / 2 },
    dx: dx / 2,
    dy: dy / 2,
    scale: to.length / Math.max(from.length, 1),
    turn: to.angle - from.angle,
  };
}

/** From one point to another, in pixels and degrees clockwise. */
export function vector(from: Point, to: Point) {
  const [x, y] = [to.x - from.x, to.y - from.y];
  return { length: Math.hypot(x, y), angle: (Math.atan2(y, x) * 180) / Math.PI };
}

/** A tap is shorter, in milliseconds, and its fingers move less, in pixels. */
const TAP = { milliseconds: 300, pixels: 12 } as const;

/** Calls a function when two fingers tap anywhere. Returns what ends that. */
export function onTwoFingerTap(act: () => void): () => void {
  let start: { readonly time: number; readonly touches: readonly Touch[] } | null = null;
  const onTouch = ({ type, timeStamp, touches, changedTouches }: TouchEvent) => {
    if (type === "touchstart") {
      start = touches.length === 2 ? { time: timeStamp, touches: [...touches] } : null;
      return;
    }
    if (start === null) return;
    const { time } = start;
    const isStill = [...changedTouches].every((touch) => {
      const before = start?.touches.find(({ identifier }) => identifier === touch.identifier);
      const { clientX = Number.NaN, clientY = 0 } = before ?? {};
      return Math.hypot(touch.clientX - clientX, touch.clientY - clientY) < TAP.pixels;
    });
    if (!isStill || timeStamp - time > TAP.milliseconds) start = null;
    else if (type === "touchend" && touches.length === 0) {
      start = null;
      act();
    }
  };
  const types = ["touchstart", "touchmove", "touchend"] as const;
  for (const type of types) addEventListener(type, onTouch, { passive: true });
  return () => {
    for (const type of types) removeEventListener(type, onTouch);
  };
}
