/** Rows that come in bands of any height, in blocks of one height. */

/**
 * Makes a function that takes the next rows and gives the blocks that they complete; the last one has
 * the rows that are left. Holds less than a block.
 * @param stride bytes of a row
 * @param rows of a block
 * @param height rows in all
 */
export function createRowBlocks(
  stride: number,
  rows: number,
  height: number,
): (bytes: Uint8Array) => Uint8Array[] {
  let missing = height;
  let block = new Uint8Array(Math.min(rows, missing) * stride);
  let filled = 0;
  return (bytes) => {
    const blocks: Uint8Array[] = [];
    for (let from = 0; from < bytes.length; ) {
      const part = bytes.subarray(from, from + block.length - filled);
      block.set(part, filled);
      filled += part.length;
      from += part.length;
      if (filled < block.length) continue;
      blocks.push(block);
      missing -= block.length / stride;
      block = new Uint8Array(Math.min(rows, missing) * stride);
      filled = 0;
    }
    return blocks;
  };
}
