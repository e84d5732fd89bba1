/** A pile of books, their spines to the front. */
import type { Colour } from "../paint.ts";
import { smoothstep } from "../scalars.ts";

/** Millimetres: from the pile's middle to the middle of a book, its width, its height. */
const BOOKS = [
  { at: 4, width: 300, height: 30, colour: [0.5, 0.46, 0.39] },
  { at: -8, width: 264, height: 22, colour: [0.24, 0.1, 0.065] },
  { at: 10, width: 232, height: 34, colour: [0.075, 0.095, 0.11] },
] as const;

/** Height of the pile. */
const HEIGHT = BOOKS.reduce((sum, { height }) => sum + height, 0);

/** In units of the picture. */
export interface Pile {
  readonly x: number;
  readonly foot: number;
  /** Units to a millimetre. */
  readonly scale: number;
}

/** A point on a book: its number, 0 for none. */
export interface Book {
  index: number;
  colour: Colour;
  light: number;
}

/** Samples a pile at a point of the picture. */
export function sampleBooks({ x, foot, scale }: Pile, px: number, py: number, into: Book): void {
  into.index = 0;
  let up = (foot - py) / scale;
  if (up < 0 || up > HEIGHT) return;
  for (const [index, { at, width, height, colour }] of BOOKS.entries()) {
    if (up > height) {
      up -= height;
      continue;
    }
    const across = (px - x) / scale - at;
    const fromEnd = width / 2 - Math.abs(across);
    if (fromEnd < 0) return;
    const fromEdge = Math.min(up, height - up);
    into.index = index + 1;
    into.colour = colour;
    // A rounded spine, with grooves along its edges and two bands.
    const round = 0.72 + 0.4 * smoothstep(0, height, up) - 0.3 * smoothstep(3, 0, fromEdge);
    const band = smoothstep(2.5, 1.5, Math.abs(fromEnd - 24));
    const title = smoothstep(0.16, 0.12, Math.abs(up / height - 0.5)) * titleAt(across, index);
    into.light = round * (1 - 0.2 * across * (1 / width)) + 0.5 * band + 0.9 * title;
    return;
  }
}

/** Returns 1 within the letters of a title, which are too small to be read. */
function titleAt(across: number, index: number): number {
  const half = 34 + 9 * index;
  if (Math.abs(across + 20) > half) return 0;
  return smoothstep(-0.2, 0.5, Math.sin(0.9 * across) + Math.sin(0.37 * across + index));
}

/** Returns the share of light that a pile removes at a point, with a softness of `blur` units. */
export function shadowOfBooks({ x, foot, scale }: Pile, px: number, py: number, blur: number) {
  const half = 0.5 * 280 * scale;
  const beside = smoothstep(blur, -blur, Math.abs(px - x) - half);
  return beside * smoothstep(HEIGHT * scale + blur, HEIGHT * scale - blur, foot - py);
}
