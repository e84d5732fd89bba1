/** Abridges responses; `…` marks omissions. */

const ROWS_SHOWN = 2;
const LONGEST_TEXT = 400;
const LINE_WIDTH = 96;

/** These change with every run. */
const VOLATILE = new Set(["created_at", "updated_at", "expires_at", "sha256"]);

/** Shortens long lists and texts, rounds fractions to three digits, and omits volatile fields. */
export function abridge(value: unknown): unknown {
  if (typeof value === "string") return abridgeText(value);
  if (typeof value === "number") return Number.isInteger(value) ? value : rounded(value);
  if (Array.isArray(value)) {
    const shown = value.slice(0, ROWS_SHOWN).map(abridge);
    return value.length > ROWS_SHOWN ? [...shown, "…"] : shown;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, VOLATILE.has(name) ? "…" : abridge(inner)]),
  );
}

const rounded = (value: number) => Number(value.toPrecision(3));

function abridgeText(text: string): string {
  const open = text.replace(/(\?token=).*/, "$1…");
  return open.length > LONGEST_TEXT ? `${open.slice(0, LONGEST_TEXT)}…` : open;
}

/** Formats JSON with filled lines. */
export function layOut(value: unknown, indent = ""): string {
  const flat = inOneLine(value);
  if (typeof value !== "object" || value === null) return flat;
  if (indent.length + flat.length <= LINE_WIDTH) return flat;
  const deeper = `${indent}  `;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const parts = Array.isArray(value)
    ? value.map((inner) => layOut(inner, deeper))
    : Object.entries(value).map(
        ([name, inner]) => `${JSON.stringify(name)}: ${layOut(inner, deeper)}`,
      );
  return `${open}\n${deeper}${parts.join(`,\n${deeper}`)}\n${indent}${close}`;
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}: ${inOneLine(inner)}`,
  );
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}
