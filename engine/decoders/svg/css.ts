/** Sanitises the CSS of drawings: parses it, keeps allowed properties, and serialises it anew. */
import { type CssNode, generate, ident, parse, type Rule, walk } from "css-tree";
import { refuse } from "./refuse.ts";
import { FUNCTIONS, PROPERTIES } from "./vocabulary.ts";

/** A property and its value, both decoded and in canonical form. */
export interface Declaration {
  readonly property: string;
  readonly value: string;
  readonly important: boolean;
  /** Ids that it refers to, in order, once per reference. */
  readonly references: readonly string[];
}

/** A compound selector: conditions on an element alone. */
export interface Compound {
  readonly type: string | null;
  readonly id: string | null;
  readonly classes: readonly string[];
}

export interface StyleRule {
  /** Canonical text. */
  readonly selectors: string;
  /** The last compound of each selector. */
  readonly subjects: readonly Compound[];
  readonly declarations: readonly Declaration[];
}

/** Returns the allowed declarations of a `style` attribute. Throws for filters and external references. */
export function declarationsOf(style: string): Declaration[] {
  const declarations: Declaration[] = [];
  walk(parse(style, { context: "declarationList" }), (node) => {
    if (node.type !== "Declaration") return;
    const declared = declaration(node.property, node.value, node.important !== false);
    if (declared !== null) declarations.push(declared);
  });
  return declarations;
}

/** Returns a presentation attribute as a declaration, or null if its value is not allowed. */
export function presentation(property: string, text: string): Declaration | null {
  // Without these a value holds neither functions nor escapes.
  if (!/[(\\]/.test(text) && property !== "filter") {
    return { property, value: text, important: false, references: [] };
  }
  try {
    return declaration(property, parse(text, { context: "value" }), false);
  } catch (error) {
    // css-tree throws it for invalid values.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Returns the allowed rules of a style sheet, without at-rules and pseudo-classes. Throws for filters
 * and external references.
 */
export function rulesOf(sheet: string): StyleRule[] {
  const rules: StyleRule[] = [];
  const ast = parse(sheet, { parseAtrulePrelude: false });
  if (ast.type !== "StyleSheet") return rules;
  for (const node of ast.children) {
    if (node.type === "Atrule" && decoded(node.name) === "import") {
      refuse("refers to a style sheet outside itself");
    }
    if (node.type === "Rule") {
      const rule = ruleOf(node);
      if (rule !== null) rules.push(rule);
    }
  }
  return rules;
}

function ruleOf({ prelude, block }: Rule): StyleRule | null {
  if (prelude.type !== "SelectorList") return null;
  const selectors: string[] = [];
  const subjects: Compound[] = [];
  for (const selector of prelude.children) {
    const subject = subjectOf(selector);
    if (subject === null) continue;
    selectors.push(generate(selector));
    subjects.push(subject);
  }
  const declarations: Declaration[] = [];
  for (const node of block.children) {
    if (node.type !== "Declaration") continue;
    const declared = declaration(node.property, node.value, node.important !== false);
    if (declared !== null) declarations.push(declared);
  }
  if (selectors.length === 0 || declarations.length === 0) return null;
  return { selectors: selectors.join(), subjects, declarations };
}

/** Returns the last compound of a selector, or null for unsupported selectors. */
function subjectOf(selector: CssNode): Compound | null {
  if (selector.type !== "Selector") return null;
  let type: string | null = null;
  let id: string | null = null;
  let classes: string[] = [];
  for (const part of selector.children) {
    switch (part.type) {
      case "Combinator":
        [type, id, classes] = [null, null, []];
        break;
      case "TypeSelector":
        if (part.name.includes("|")) return null;
        type = part.name === "*" ? null : ident.decode(part.name);
        break;
      case "IdSelector":
        id = ident.decode(part.name);
        break;
      case "ClassSelector":
        classes.push(ident.decode(part.name));
        break;
      default:
        return null;
    }
  }
  return { type, id, classes };
}

const decoded = (name: string) => ident.decode(name).toLowerCase();

function declaration(name: string, value: CssNode, important: boolean): Declaration | null {
  const property = decoded(name);
  if (property === "filter" && generate(value).trim() !== "none") {
    refuse("has filters, which are not taken: a small file could take minutes to draw");
  }
  if (!PROPERTIES.has(property) || value.type !== "Value") return null;
  const references: string[] = [];
  let isAllowed = true;
  walk(value, (node) => {
    if (node.type === "Url") references.push(ownId(node.value));
    else if (node.type === "Function") isAllowed &&= FUNCTIONS.has(node.name.toLowerCase());
    else if (node.type === "Identifier") isAllowed &&= !node.name.includes("\\");
    else if (node.type === "Raw") isAllowed = false;
  });
  return isAllowed ? { property, value: generate(value), important, references } : null;
}

function ownId(url: string): string {
  const target = url.trim();
  if (!target.startsWith("#"))
    refuse(`refers to something outside itself: url(${target.slice(0, 80)})`);
  return target.slice(1);
}

/** Serialises declarations. */
export const cssText = (declarations: readonly Declaration[]): string =>
  declarations
    .map(({ property, value, important }) => `${property}:${value}${important ? "!important" : ""}`)
    .join(";");
