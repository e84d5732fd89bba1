/** Formats rows in aligned columns; the first row is the header. */
export function table(rows: readonly (readonly unknown[])[]): string {
  const cells = rows.map((row) => row.map(cell));
  const widths = cells[0]?.map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  return cells
    .map((row) => row.map((text, column) => text.padEnd(widths?.[column] ?? 0)).join("  "))
    .map((line) => line.trimEnd())
    .join("\n");
}

function cell(value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(0, 16).replace("T", " ");
  return value === null ? "-" : String(value);
}
