/**
 * Estimates what drawing an SVG costs with all references expanded. Nine levels of shapes that each use
 * the one before ten times are a billion shapes.
 */
import type { Compound, Declaration } from "./css.ts";
import type { Drawing, SvgElement } from "./parse.ts";
import { refuse } from "./refuse.ts";

export interface Cost {
  /** Elements drawn. */
  readonly elements: number;
  /** Full-size intermediate surfaces composited. */
  readonly layers: number;
}

/** Deepest chain of references. */
const DEEPEST = 500;

/** Most comparisons of selectors with elements. */
const MAX_COMPARISONS = 10_000_000;

/**
 * Layers per property. Measured with librsvg 2.63 at 2048², in milliseconds: opacity and isolation 7,
 * a mask 150, a blend mode 40, a clip path 2, or 9 by the bounding box.
 */
const LAYERS: Readonly<Record<string, (value: string) => number>> = {
  opacity: (value) => (/^(?:1(?:\.0*)?|100%)$/.test(value) ? 0 : 1),
  mask: (value) => (value === "none" ? 0 : 20),
  "mix-blend-mode": (value) => (value === "normal" ? 0 : 5),
  isolation: (value) => (value === "auto" ? 0 : 1),
  "clip-path": (value) => (value === "none" ? 0 : 1 / 4),
};

/**
 * Layers per drawn element. In milliseconds, as above, if it covers everything: a radial gradient 37,
 * a linear one 1, a pattern 6, a picture 2; most gradients cover little.
 */
const OF_ELEMENTS: Readonly<Record<string, number>> = {
  image: 1,
  linearGradient: 1 / 16,
  pattern: 1,
  radialGradient: 1 / 2,
};

/** Returns the cost of a drawing; infinite for circular references. */
export function costOf({ root, rules }: Drawing): Cost {
  const all: SvgElement[] = [];
  const named = new Map<string, SvgElement>();
  const collect = (element: SvgElement) => {
    all.push(element);
    const id = element.attributes.get("id");
    if (id !== undefined && !named.has(id)) named.set(id, element);
    for (const child of element.children) if (typeof child !== "string") collect(child);
  };
  collect(root);

  const subjects = rules.flatMap(({ subjects, declarations }) =>
    subjects.map((subject) => ({ subject, declarations })),
  );
  if (subjects.length * all.length > MAX_COMPARISONS) refuse("has too many styles");
  const declarationsOf = (element: SvgElement): readonly Declaration[] => {
    const matching = subjects.filter(({ subject }) => mayMatch(subject, element));
    return [...element.declarations, ...matching.flatMap(({ declarations }) => declarations)];
  };

  const known = new Map<SvgElement, Cost>();
  let depth = 0;
  const total = (element: SvgElement): Cost => {
    let [elements, layers] = [1, OF_ELEMENTS[element.name] ?? 0];
    const add = (cost: Cost) => {
      elements += cost.elements;
      layers += cost.layers;
    };
    for (const child of element.children) if (typeof child !== "string") add(total(child));
    const references = element.target === null ? [] : [element.target];
    for (const { property, value, references: own } of declarationsOf(element)) {
      layers += LAYERS[property]?.(value) ?? 0;
      references.push(...own);
    }
    for (const id of references) {
      const referenced = named.get(id);
      if (referenced !== undefined) add(followed(referenced));
    }
    return { elements, layers };
  };
  const followed = (element: SvgElement): Cost => {
    const before = known.get(element);
    if (before !== undefined) return before;
    const endless = { elements: Infinity, layers: Infinity };
    if (depth === DEEPEST) return endless;
    known.set(element, endless);
    depth++;
    const cost = total(element);
    depth--;
    known.set(element, cost);
    return cost;
  };
  return total(root);
}

/** Whether a selector may match an element, ignoring its ancestors. */
function mayMatch({ type, id, classes }: Compound, { name, attributes }: SvgElement): boolean {
  if (type !== null && type !== name) return false;
  if (id !== null && id !== attributes.get("id")) return false;
  if (classes.length === 0) return true;
  const own = attributes.get("class")?.split(/\s+/) ?? [];
  return classes.every((one) => own.includes(one));
}
