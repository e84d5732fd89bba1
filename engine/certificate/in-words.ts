/** What an operation does to the plane, in words. */
import type { Affine } from "../geometry/affine.ts";
import { parsePosition } from "../geometry/isometries.ts";
import type { PlaneGroup } from "../geometry/plane-groups.ts";
import type { CheckedOperation } from "./certificate.ts";
import type { Size } from "./torus-lattice.ts";

type Described = Pick<CheckedOperation, "kind" | "words">;

/** Kind and words of a position of a group that lies in a picture as a map of its fractions. */
export function describe(
  position: string,
  { centred }: Pick<PlaneGroup, "centred">,
  map: Affine,
  { width, height }: Size,
): Described {
  const pixels = { ...map, b: (map.b * width) / height, c: (map.c * height) / width };
  if (pixels.a * pixels.d > pixels.b * pixels.c) {
    const angle = nice(Math.atan2(pixels.c - pixels.b, pixels.a + pixels.d), 360);
    if (angle === 0) return { kind: "translation", words: inFractions(position) };
    if (angle === 180) return { kind: "rotation", words: "rotation by 180°" };
    const sense = angle < 180 ? `${angle}° clockwise` : `${360 - angle}° anticlockwise`;
    return { kind: "rotation", words: `rotation by ${sense}` };
  }
  const kind = isGlide(position, centred) ? "glide" : "mirror";
  const angle = nice(Math.atan2(pixels.c + pixels.b, pixels.a - pixels.d) / 2, 180);
  const verb = kind === "mirror" ? "mirror in" : "glide along";
  return { kind, words: `${verb} ${lineAt(angle)}` };
}

/** Words for a translation given as its position. */
export function inFractions(position: string): string {
  const parts = position
    .split(",")
    .map((part, axis) => ({ edge: "ab"[axis], shift: part.slice(1) }))
    .filter(({ shift }) => shift !== "")
    .map(({ edge, shift }) => (shift === "+1" ? `${edge}` : `${shift.slice(1)} ${edge}`));
  return `translation by ${parts.join(" and ")}`;
}

function lineAt(angle: number): string {
  if (angle === 0) return "a horizontal line";
  if (angle === 90) return "a vertical line";
  return angle < 90 ? `a line falling at ${angle}°` : `a line rising at ${180 - angle}°`;
}

/** Degrees, on the next multiple of 15: strain turns lines a little. */
function nice(radians: number, period: number): number {
  const degrees = (radians * 180) / Math.PI;
  const step = Math.round(degrees / 15) * 15;
  return ((step % period) + period) % period;
}

/** Whether no lattice translation makes a pure reflection of it. */
function isGlide(position: string, centred: boolean): boolean {
  const { a, b, c, d, e, f } = parsePosition(position);
  const shifts = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => ({ x, y })));
  const translations = centred
    ? [...shifts, ...shifts.map(({ x, y }) => ({ x: x + 0.5, y: y + 0.5 }))]
    : shifts;
  return translations.every(({ x, y }) => {
    const [p, q] = [e + x, f + y];
    // Done twice, a reflection is the identity.
    return Math.abs(a * p + b * q + p) + Math.abs(c * p + d * q + q) > 1e-9;
  });
}
