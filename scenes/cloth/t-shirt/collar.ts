/** A ribbed collar, the inside of the neck, and its tape and label. */
import { noise } from "../../noise.ts";
import { length2, smoothstep } from "../../scalars.ts";
import type { Fragment } from "../../scene.ts";
import { LAMP } from "../cloth-light.ts";
import { type Line, slopeOf } from "../outline.ts";

/** Pixels from one rib to the next. */
const RIB = 4.6;

/** Pixels of the collar's width. */
const WIDTH = 40;

/** Colour of the cloth's back, which is not printed. */
const BACK = [0.8, 0.785, 0.76] as const;

/** Lines of the neck, as fields of pixels. */
export interface Neck {
  /** The seam between the collar and the front. */
  readonly seam: Line;
  /** The free edge of the collar in front. */
  readonly edge: Line;
  /** The free edge of the collar behind. */
  readonly behind: Line;
}

/** Light on ribs, `across` 0…1 from the seam to the free edge, `along` in pixels. */
function ribs(along: number, across: number): number {
  const wave = Math.cos((2 * Math.PI * along) / RIB);
  return 1 + 0.07 * wave * smoothstep(0, 0.12, across) * smoothstep(1, 0.88, across);
}

const inwards = { x: 0, y: 0 };

/** Lights the front of the collar, which is printed, at a pixel. */
export function lightCollar({ seam, edge }: Neck, x: number, y: number, fragment: Fragment): void {
  const inward = seam.distance(x, y);
  const outward = edge.distance(x, y);
  const across = inward / Math.max(1, inward + outward);
  // A roll: its normal turns from the seam's groove over to the free edge.
  slopeOf(seam, x, y, inwards);
  const tilt = 1.3 * (across - 0.45);
  const up = Math.sqrt(Math.max(0, 1 - tilt * tilt));
  const cosine = tilt * (inwards.x * LAMP[0] + inwards.y * LAMP[1]) + up * LAMP[2];
  const crease = 1 - 0.35 * smoothstep(7, 0, inward) - 0.12 * smoothstep(4, 0, outward);
  fragment.shading = (0.4 + 0.78 * Math.max(0, cosine)) * crease * ribs(seam.along(x, y), across);
  fragment.highlight = 0;
}

/** Paints the inside of the neck at a pixel. */
export function paintNeck({ edge, behind }: Neck, x: number, y: number, fragment: Fragment): void {
  const below = behind.distance(x, y);
  const above = edge.distance(x, y);
  const onRib = below < WIDTH;
  const tape = smoothstep(WIDTH + 1, WIDTH + 3, below) * smoothstep(WIDTH + 19, WIDTH + 17, below);
  // Light decreases inwards, and the front of the collar casts a shadow.
  let light = 0.78 - 0.3 * smoothstep(10, 150, below);
  light *= 1 - 0.5 * smoothstep(46, 0, above) - 0.14 * smoothstep(3, 0, Math.abs(below - WIDTH));
  light *= 1 + 0.05 * (noise(x / 24, y / 60) - 0.5) - 0.06 * smoothstep(6, 0, below);
  if (onRib) light *= ribs(behind.along(x, y), below / WIDTH);
  light *= 1 - 0.1 * tape;
  const label = labelAt(x - 800, below - WIDTH - 10);
  light += label * 0.1 * light;
  fragment.mask = fragment.u = fragment.v = fragment.shading = fragment.highlight = 0;
  fragment.red = BACK[0] * light;
  fragment.green = BACK[1] * light * (1 + 0.01 * label);
  fragment.blue = BACK[2] * light * (1 + 0.04 * label);
}

/** Whether a point is on the label, which hangs from the tape's middle. */
function labelAt(x: number, below: number): number {
  const out = length2(Math.max(0, Math.abs(x) - 30), Math.max(0, Math.abs(below - 16) - 18));
  return smoothstep(3, 1.5, out);
}
