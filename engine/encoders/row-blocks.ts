/** Regroups rows from bands of any height into blocks of one height. */

/**
 * Returns a function that takes the next rows and returns the blocks that they complete; the last block
 * has the remaining rows. Buffers less than a block.
 * @param stride bytes per row
 * @param rows per block
 * @param height total rows
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
