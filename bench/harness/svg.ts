/** What plots have in common. */

/** Okabe and Ito's palette, for colour-blind readers. */
export const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];
const INK = "#1b1b1f";
export const MUTED = "#666";
export const FAINT = "#d9d9de";

/** Formats a coordinate in pixels. */
export const place = (pixels: number) => String(Math.round(pixels * 10) / 10);

export const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Returns an SVG on white with its elements. */
export function svg(
  { width, height, title }: { width: number; height: number; title: string },
  elements: readonly string[],
): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12" fill="${INK}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    ...elements,
    "</svg>",
    "",
  ].join("\n");
}
