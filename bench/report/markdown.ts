/** The few marks of Markdown that the report needs. */

/** A table; columns of numbers, from `firstNumber` on, stand to the right. */
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
 * Puts texts between the marks of a page, `<!-- generated:NAME -->` and `<!-- /generated:NAME -->`;
 * the rest stays as it was written. Throws a RangeError where a mark is missing.
 */
export function fillIn(page: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const [open, close] = [`<!-- generated:${name} -->`, `<!-- /generated:${name} -->`];
    const [from, to] = [text.indexOf(open), text.indexOf(close)];
    if (from < 0 || to < from) throw new RangeError(`the page lacks ${open} … ${close}`);
    return `${text.slice(0, from + open.length)}\n${part}\n${text.slice(to)}`;
  }, page);
}
