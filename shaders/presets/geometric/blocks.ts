/** The squares of a geometric print. */
import { type Linear, lightness } from "../../lib/colour.ts";
import { layout, numbersOf, type RecordOf, RGB } from "../../lib/layout.ts";
import { pick, type Random, shuffled, whole } from "../../lib/random.ts";
import type { Palette } from "../palette.ts";
import { SHAPES } from "./shapes.ts";

/** A square of the grid; lengths in unit cells. */
export interface Block {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** Cuts a torus of `side`² unit cells into squares of 4, 2 and 1 cells. */
export function partition(random: Random, side: number, large: number, small: number): Block[] {
  const blocks: Block[] = [];
  const free = new Set(Array.from({ length: side * side }, (_, cell) => cell));
  const place = (x: number, y: number, size: number) => {
    const cells = Array.from(
      { length: size * size },
      (_, index) => ((y + Math.floor(index / size)) % side) * side + ((x + (index % size)) % side),
    );
    if (!cells.every((cell) => free.has(cell))) return;
    for (const cell of cells) free.delete(cell);
    blocks.push({ x, y, size });
  };
  const even = () => 2 * whole(random, 0, side / 2 - 1);
  for (let attempt = 0; attempt < large; attempt++) place(even(), even(), 4);
  for (let y = 0; y < side; y += 2) {
    for (let x = 0; x < side; x += 2) {
      if (random() >= small) place(x, y, 2);
      else for (const corner of [0, 1, 2, 3]) place(x + (corner % 2), y + (corner >> 1), 1);
    }
  }
  return blocks;
}

/** A ground and three colours over it, each apart in lightness from the one below. */
function colouring(random: Random, palette: Palette, last: Linear): Linear[] {
  const all = [palette.paper, palette.ink, palette.accent, palette.leaf, ...palette.colours];
  const chosen: Linear[] = [];
  let below = last;
  for (let layer = 0; layer < 4; layer++) {
    const options = all.filter(
      (colour) => !chosen.includes(colour) && Math.abs(lightness(colour) - lightness(below)) > 0.13,
    );
    below = pick(random, options.length > 0 ? options : all);
    chosen.push(below);
  }
  return chosen;
}

/** A block as the kernel reads it. */
export const BLOCK = layout({
  x: 1,
  y: 1,
  size: 1,
  turns: 1,
  kind: 1,
  ground: RGB,
  first: RGB,
  second: RGB,
  third: RGB,
});
export type BlockRecord = RecordOf<typeof BLOCK>;

/** Blocks as numbers: a few kinds of shape, in quarter turns, in the palette's colours. */
export function blockTable(
  random: Random,
  palette: Palette,
  blocks: readonly Block[],
): Float32Array {
  const kinds = shuffled(
    random,
    Array.from({ length: SHAPES.length }, (_, kind) => kind),
  ).slice(0, whole(random, 6, 10));
  let last = palette.ink;
  return Float32Array.from(
    blocks.flatMap((block) => {
      const [ground, first, second, third] = colouring(random, palette, last);
      last = ground;
      const kind = pick(random, kinds);
      const turns = whole(random, 0, 3);
      return numbersOf({ ...block, turns, kind, ground, first, second, third }, BLOCK);
    }),
  );
}

/** For each of `side`² unit cells the offset of its block in the table. */
export function boardOf(side: number, blocks: readonly Block[]): Float32Array {
  const board = new Float32Array(side * side);
  blocks.forEach(({ x, y, size }, index) => {
    for (let cell = 0; cell < size * size; cell++) {
      const down = (y + Math.floor(cell / size)) % side;
      board[down * side + ((x + (cell % size)) % side)] = index * BLOCK.size;
    }
  });
  return board;
}
