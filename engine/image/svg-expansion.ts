/**
 * How much a drawing becomes once everything that it refers to is drawn wherever it is referred to.
 * A few lines in which each shape uses the one before ten times are a billion shapes, and the
 * rasteriser draws for minutes before it gives up.
 */

const ID = /\bid\s*=\s*["']([^"']*)["']/;
const REFERENCE = /(?:href\s*=\s*["']\s*#([^"']*)["'])|url\(\s*["']?\s*#([^"')\s]*)/g;

/** References that may lead to further ones, one after the other; the rasteriser takes no more. */
const DEEPEST = 500;

interface Element {
  readonly id: string | undefined;
  /** Elements in it, itself too. */
  elements: number;
  /** What it and its children refer to, once for every mention. */
  readonly references: string[];
}

/**
 * Elements that are drawn when every reference is followed; Infinity where they go in a circle.
 * References in style sheets count once for each element: any of them may be styled so.
 */
export function expandedElements(svg: string): number {
  const named = new Map<string, Element>();
  const root: Element = { id: undefined, elements: 0, references: [] };
  const open = [root];
  const close = () => {
    const [element, parent] = [open.pop(), open.at(-1)];
    if (!element || !parent) return;
    parent.elements += element.elements;
    for (const reference of element.references) parent.references.push(reference);
    if (element.id !== undefined) named.set(element.id, element);
  };
  for (const tag of tagsOf(svg)) {
    if (tag.startsWith("/")) {
      if (open.length > 1) close();
      continue;
    }
    if (!/^[A-Za-z]/.test(tag)) continue;
    open.push({ id: ID.exec(tag)?.[1], elements: 1, references: referencesIn(tag) });
    if (tag.endsWith("/")) close();
  }
  while (open.length > 1) close();

  const sizes = new Map<string, number>();
  let depth = 0;
  const sizeOf = (id: string): number => {
    const known = sizes.get(id);
    if (known !== undefined) return known;
    const element = named.get(id);
    if (!element) return 0;
    if (depth === DEEPEST) return Infinity;
    sizes.set(id, Infinity);
    depth += 1;
    const size = total(element);
    depth -= 1;
    sizes.set(id, size);
    return size;
  };
  const total = ({ elements, references }: Element) =>
    references.reduce((sum, id) => sum + sizeOf(id), elements);

  const styled = [...svg.matchAll(/<style[^>]*>([^<]*)/gi)]
    .flatMap(([, css]) => referencesIn(css))
    .reduce((sum, id) => sum + sizeOf(id), 0);
  return total(root) + (styled === 0 ? 0 : styled * root.elements);
}

/** What stands in each tag. One look at every character, whatever the text: it is a stranger's. */
function* tagsOf(svg: string): Generator<string> {
  let at = svg.indexOf("<");
  while (at !== -1) {
    const end = endOfTag(svg, at + 1);
    if (end === -1) return;
    yield svg.slice(at + 1, end);
    at = svg.indexOf("<", end);
  }
}

/** The place of the `>` that is not in quotes, or -1. */
function endOfTag(svg: string, from: number): number {
  if (svg.startsWith("!--", from)) {
    const end = svg.indexOf("-->", from + 3);
    return end === -1 ? -1 : end + 2;
  }
  for (let at = from; at < svg.length; at++) {
    const sign = svg[at];
    if (sign === ">") return at;
    if (sign === '"' || sign === "'") {
      at = svg.indexOf(sign, at + 1);
      if (at === -1) return -1;
    }
  }
  return -1;
}

function referencesIn(text: string): string[] {
  return [...text.matchAll(REFERENCE)].map(([, href, url]) => href ?? url);
}
