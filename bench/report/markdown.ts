/** Markdown of the report. */

/** Returns a table; columns from `firstNumber` on are right-aligned. */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  firstNumber = 1,
): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const marks = header.map((_, column) => (column < firstNumber ? "---" : "--:"));
  return [line(header), line(marks), ...rows.map(line)].join("\n");
}

/**
 * Inserts texts between the markers of a page, `<!-- generated:NAME -->` and `<!-- /generated:NAME
 * -->`, and leaves the rest unchanged. Throws a RangeError if a marker is missing.
 */
export function fillIn(page: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const [open, close] = [`<!-- generated:${name} -->`, `<!-- /generated:${name} -->`];
    const [from, to] = [text.indexOf(open), text.indexOf(close)];
    if (from < 0 || to < from) throw new RangeError(`the page lacks ${open} … ${close}`);
    return `${text.slice(0, from + open.length)}\n${part}\n${text.slice(to)}`;
  }, page);
}
