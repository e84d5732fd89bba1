/** Makes a picture block by block, as far as it is needed; threads share the work by claiming blocks. */
import type { Size } from "../size.ts";
import { blocksShown } from "./continued-axis.ts";
import type { Region } from "./picture.ts";

/** Pixels of a block's side. */
const BLOCK = 128;

/** Values of a block's flag. */
const STATE = { missing: 0, claimed: 1, made: 2 } as const;

/** How long blocks of other threads may still be waited for; at 0 they are taken for given up. */
export interface WaitBudget {
  milliseconds: number;
}

/** Returns the budget of one call, for all blocks that it needs of any level. */
export const newWaitBudget = (): WaitBudget => ({ milliseconds: 1000 });

/** Returns the number of blocks of a picture. */
export const blockCount = ({ width, height }: Size) =>
  Math.ceil(width / BLOCK) * Math.ceil(height / BLOCK);

/** Whether all blocks of a picture are made. */
export function areAllMade(flags: Int32Array): boolean {
  for (let flag = 0; flag < flags.length; flag++) {
    if (Atomics.load(flags, flag) !== STATE.made) return false;
  }
  return true;
}

/** Adjacent blocks of a row. */
interface Blocks {
  readonly row: number;
  readonly column: number;
  readonly length: number;
}

/**
 * Makes the blocks of a picture that a region shows and that are missing. A thread claims a block before it
 * makes it, and threads that need the same blocks share them out.
 * @param region of the picture and of what continues it
 * @param flags of the picture's blocks; in shared memory if there are several threads
 * @param make makes a part of the picture, with the same bytes in every thread; may throw
 */
export function makeBlocks(
  picture: Size,
  region: Region,
  flags: Int32Array,
  budget: WaitBudget,
  make: (part: Region) => void,
): void {
  const across = Math.ceil(picture.width / BLOCK);
  const { columns, rows } = blocksShown(picture, region, BLOCK);
  const makeClaimed = (blocks: Blocks, first: number) => {
    let state: number = STATE.missing;
    try {
      make(regionOf(picture, blocks));
      state = STATE.made;
    } finally {
      for (let flag = first; flag < first + blocks.length; flag++) {
        Atomics.store(flags, flag, state);
        Atomics.notify(flags, flag);
      }
    }
  };
  const others: Blocks[] = [];
  for (const [row, isShown] of rows.entries()) {
    for (let column = 0; isShown && column < across; column++) {
      const first = row * across + column;
      let length = 0;
      while (columns[column + length] === 1 && claim(flags, first + length)) length++;
      if (length > 0) {
        makeClaimed({ row, column, length }, first);
        column += length - 1;
      } else if (columns[column] === 1 && Atomics.load(flags, first) !== STATE.made) {
        others.push({ row, column, length: 1 });
      }
    }
  }
  for (const block of others) {
    const flag = block.row * across + block.column;
    // Needs shared memory, without which no other thread can have claimed it.
    if (Atomics.load(flags, flag) === STATE.claimed) {
      const since = performance.now();
      Atomics.wait(flags, flag, STATE.claimed, budget.milliseconds);
      budget.milliseconds = Math.max(0, budget.milliseconds - (performance.now() - since));
    }
    if (Atomics.load(flags, flag) === STATE.made) continue;
    // The thread that claimed it has ended, or is late and writes the same bytes.
    makeClaimed(block, flag);
  }
}

/** Claims a block unless it is claimed or made. */
const claim = (flags: Int32Array, at: number) =>
  Atomics.compareExchange(flags, at, STATE.missing, STATE.claimed) === STATE.missing;

/** Returns the pixels of blocks. */
function regionOf({ width, height }: Size, { row, column, length }: Blocks): Region {
  const [x, y] = [BLOCK * column, BLOCK * row];
  return {
    x,
    y,
    width: Math.min(width, x + BLOCK * length) - x,
    height: Math.min(height, y + BLOCK) - y,
  };
}
