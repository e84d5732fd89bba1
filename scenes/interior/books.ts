/** A pile of books, their spines to the front. */
import type { Colour } from "../paint.ts";
import { smoothstep } from "../scalars.ts";

/** In units of the picture. */
interface Volume {
  /** From the pile's middle to the book's. */
  readonly at: number;
  readonly width: number;
  readonly height: number;
  readonly colour: Colour;
}

export interface Pile {
  readonly x: number;
  readonly foot: number;
  /** From below. */
  readonly books: readonly Volume[];
}

/** A point on a book: its number, 0 for none. */
export interface Book {
  index: number;
  colour: Colour;
  light: number;
}

const heightOf = ({ books }: Pile) => books.reduce((sum, { height }) => sum + height, 0);

/** Samples a pile at a point of the picture. */
export function sampleBooks({ x, foot, books }: Pile, px: number, py: number, into: Book): void {
  into.index = 0;
  let up = foot - py;
  if (up < 0) return;
  for (const [index, { at, width, height, colour }] of books.entries()) {
    if (up > height) {
      up -= height;
      continue;
    }
    const across = px - x - at;
    const fromEnd = width / 2 - Math.abs(across);
    if (fromEnd < 0) return;
    const fromEdge = Math.min(up, height - up);
    into.index = index + 1;
    into.colour = colour;
    // A rounded spine, with grooves along its edges and two bands.
    const round = 0.72 + 0.4 * smoothstep(0, height, up) - 0.3 * smoothstep(2, 0, fromEdge);
    const band = smoothstep(1.6, 0.8, Math.abs(fromEnd - 0.08 * width));
    const title =
      smoothstep(0.16, 0.12, Math.abs(up / height - 0.5)) * titleAt(across / width, index);
    into.light = round * (1 - 0.2 * (across / width)) + 0.5 * band + 0.5 * title;
    return;
  }
}

/** Returns 1 within the letters of a title, which are too small to be read; `at` is −½…½. */
function titleAt(at: number, index: number): number {
  if (Math.abs(at + 0.07) > 0.12 + 0.03 * index) return 0;
  return smoothstep(-0.2, 0.5, Math.sin(420 * at) + Math.sin(131 * at + index));
}

/** Returns the share of light that a pile removes at a point, with a softness of `blur` units. */
export function shadowOfBooks(pile: Pile, px: number, py: number, blur: number): number {
  const half = pile.books[0].width / 2;
  const beside = smoothstep(blur, -blur, Math.abs(px - pile.x) - half);
  const height = heightOf(pile);
  return beside * smoothstep(height + blur, height - blur, pile.foot - py);
}
