/** Fine structure of cloth: tables that repeat, looked up by millimetres. */
import { hash } from "../noise.ts";

/** Texels of a table's side; a power of two, so that wrapping is exact. */
const SIDE = 512;

/** Returns the brightness at a point of the cloth: mean 0, mostly within −1…1. */
export type Texture = (u: number, v: number) => number;

/** Returns random fibres, as on distant jersey; `grain` mm between specks. */
export function fibres(grain: number): Texture {
  const specks = new Float32Array(SIDE * SIDE);
  for (let at = 0; at < specks.length; at++) specks[at] = hash(at, 1) + hash(at, 2) - 1;
  return repeated(specks, 1 / grain);
}

/** Texels for one thread of a weave. */
const THREAD = 8;

/** Plain weave with threads `pitch` mm apart, each of its own thickness and brightness. */
export function plainWeave(pitch: number): Texture {
  const threads = (set: number) =>
    Float32Array.from({ length: SIDE / THREAD }, (_, thread) => 2 * hash(thread, set) - 1);
  const warp = threads(3);
  const weft = threads(4);
  const table = new Float32Array(SIDE * SIDE);
  for (let j = 0; j < SIDE; j++) {
    for (let i = 0; i < SIDE; i++) {
      const column = Math.floor(i / THREAD);
      const row = Math.floor(j / THREAD);
      const x = ((i % THREAD) + 0.5) / THREAD - 0.5;
      const y = ((j % THREAD) + 0.5) / THREAD - 0.5;
      // Where the warp is on top, its round back is bright in the middle and dark at the ends.
      const onTop = (row + column) % 2 === 0;
      const [wide, long] = onTop ? [x, y] : [y, x];
      const bump = 1 - 3.2 * wide * wide - 1.6 * long * long;
      table[j * SIDE + i] = (bump - 0.6) * 1.6 + 0.5 * (onTop ? warp[column] : weft[row]);
    }
  }
  return repeated(table, THREAD / pitch);
}

/** Returns a texture that repeats a table of `density` texels a millimetre. */
function repeated(table: Float32Array, density: number): Texture {
  const mask = SIDE - 1;
  return (u, v) => {
    const i = u * density;
    const j = v * density;
    const column = Math.floor(i);
    const row = Math.floor(j);
    const s = i - column;
    const t = j - row;
    const left = column & mask;
    const right = (column + 1) & mask;
    const above = (row & mask) * SIDE;
    const below = ((row + 1) & mask) * SIDE;
    return (
      (table[above + left] * (1 - s) + table[above + right] * s) * (1 - t) +
      (table[below + left] * (1 - s) + table[below + right] * s) * t
    );
  };
}
