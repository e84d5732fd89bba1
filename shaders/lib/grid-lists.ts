/** Lists that differ from cell to cell of a grid, as the two tables that kernels read. */

/** `list`: the cells' entries one after the other; `starts`: where each begins, and the end. */
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
