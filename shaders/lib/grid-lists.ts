/** Lists for the cells of a grid, as two tables for kernels. */

/** Returns the cells' concatenated entries, `list`, and the offset of each, and the end, `starts`. */
export function listsOf(cells: readonly (readonly number[])[]): {
  readonly list: Float32Array;
  readonly starts: Float32Array;
} {
  const starts = new Float32Array(cells.length + 1);
  cells.forEach((cell, index) => {
    starts[index + 1] = starts[index] + cell.length;
  });
  return { list: Float32Array.from(cells.flat()), starts };
}
