/** A low sideboard of oak with three doors, on tapered legs, seen from the front. */
import { smoothstep } from "../scalars.ts";
import { toRectangle } from "../still-life/distances.ts";
import { grainOf } from "./wood.ts";

/** In units of the picture. */
export interface Sideboard {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  /** Of the body, and of the legs below it. */
  readonly height: number;
  readonly legs: number;
  /** Of the surface of the top as it is seen, and by how much it is narrower at the wall. */
  readonly surface: { readonly height: number; readonly inset: number };
  /** Units to a millimetre. */
  readonly scale: number;
}

const DOORS = 3;

/** A point on a sideboard. */
export interface Woodwork {
  /** Number of the part; 0 for none. */
  part: number;
  /** Darkness of the grain, and light. */
  grain: number;
  light: number;
}

/** Samples a sideboard at a point of the picture. */
export function sampleSideboard(board: Sideboard, x: number, y: number, into: Woodwork): void {
  const { left, top, width, height, legs, scale, surface } = board;
  const across = x - left;
  const down = y - top;
  into.part = 0;
  if (down < 0 && down > -surface.height) {
    const back = -down / surface.height;
    const side = surface.inset * back;
    if (across < side || across > width - side) return;
    into.part = 3;
    into.grain = grainOf(across / scale, 30 + (down * 12) / scale, 4);
    into.light = 1.16 - 0.2 * smoothstep(0.6, 1, back);
    return;
  }
  if (across < 0 || across > width || down < 0 || down > height + legs) return;
  if (down > height) {
    lookAtLegs(board, across, down - height, into);
    return;
  }
  const rim = 20 * scale;
  into.part = 1;
  if (toRectangle(across - width / 2, down - height / 2, width / 2, height / 2, 0) > -rim) {
    const upper = down < rim;
    const lying = upper || down > height - rim;
    into.light = upper ? 0.98 : 0.8;
    into.grain = lying
      ? grainOf(across / scale, down / scale, upper ? 1 : 2)
      : grainOf(down / scale, across / scale, 3);
    into.part = lying ? 1 : 2;
    return;
  }
  const door = (width - 2 * rim) / DOORS;
  const index = Math.min(DOORS - 1, Math.floor((across - rim) / door));
  const inDoor = across - rim - index * door;
  const gap = Math.min(inDoor, door - inDoor, down - rim, height - rim - down);
  const slot = toRectangle(
    inDoor - door / 2,
    down - rim - 30 * scale,
    55 * scale,
    6 * scale,
    6 * scale,
  );
  into.part = 4 + index;
  into.grain = grainOf(down / scale, inDoor / scale, 5 + index);
  // Set back a little: the top casts a shadow on the doors.
  const falls = 1 - 0.16 * ((down - rim) / (height - rim));
  into.light = (0.97 - 0.3 * smoothstep(34 * scale, 0, down - rim)) * falls;
  if (gap < 2.2 * scale) {
    into.part = 8;
    into.light = 0.28;
  } else if (slot < 0) {
    into.part = 9;
    into.light = 0.2 + 0.2 * smoothstep(0, 12 * scale, down - rim - 26 * scale);
  }
}

function lookAtLegs(
  { width, legs, scale }: Sideboard,
  across: number,
  down: number,
  into: Woodwork,
): void {
  const fromSide = Math.min(across, width - across);
  const share = down / legs;
  const middle = (90 - 22 * share) * scale;
  const half = (19 - 7 * share) * scale;
  const at = (fromSide - middle) / half;
  if (Math.abs(at) > 1) return;
  into.part = 10;
  into.grain = grainOf(down / scale, fromSide / scale, 11);
  const turned = across < width / 2 ? at : -at;
  into.light = (0.86 - 0.3 * turned * turned - 0.12 * turned) * (0.62 + 0.38 * share);
}
