/** Parses SVG as XML with namespaces and keeps only what is allowed. */
import sax from "sax";
import {
  cssText,
  type Declaration,
  declarationsOf,
  presentation,
  rulesOf,
  type StyleRule,
} from "./css.ts";
import { refuse } from "./refuse.ts";
import {
  ATTRIBUTES,
  ELEMENTS,
  PROPERTIES,
  SVG_NAMESPACE,
  TEXT_ELEMENTS,
  XLINK_NAMESPACE,
  XML_NAMESPACE,
} from "./vocabulary.ts";

/** An allowed element. */
export interface SvgElement {
  readonly name: string;
  /** Allowed attributes with canonical values. */
  readonly attributes: Map<string, string>;
  /** From presentation attributes and `style`. */
  readonly declarations: readonly Declaration[];
  /** The id that its `href` refers to. */
  readonly target: string | null;
  readonly children: (SvgElement | string)[];
}

export interface Drawing {
  readonly root: SvgElement;
  readonly rules: readonly StyleRule[];
  /** Files of the embedded pictures, once per reference. */
  readonly pictures: readonly Buffer[];
}

/** Most embedded pictures; the header of each is read. */
const EMBEDDED_PICTURES = 256;

/** Most elements, including those that are dropped. */
const MAX_ELEMENTS = 200_000;

/** Deepest nesting; libxml2, librsvg's parser, allows 256. */
const DEEPEST = 200;

/** Most characters of all style sheets together. */
const MAX_STYLES = 1_000_000;

/** Characters per write to the parser. */
const CHUNK = 65_536;

const EMBEDDED = /^data:(image\/(?:png|jpe?g|gif|webp));base64,/;

// sax rejects attributes longer than 64 KiB by default; embedded pictures are longer.
Object.assign(sax, { MAX_BUFFER_LENGTH: Number.POSITIVE_INFINITY });

/** Strict entities: only XML's own, such as `&amp;`. */
const OPTIONS = { xmlns: true, position: false, strictEntities: true };

/**
 * Parses a drawing. Throws `SourceUnreadable` for anything but well-formed UTF-8 XML with an `svg` root,
 * for custom entities, filters, external references, and too many elements.
 */
export function parseSvg(bytes: Uint8Array): Drawing {
  const text = utf8(bytes);
  const parser = sax.parser(true, OPTIONS);
  const open: SvgElement[] = [];
  const rules: StyleRule[] = [];
  const pictures: Buffer[] = [];
  let root: SvgElement | undefined;
  let elements = 0;
  let depth = 0;
  let styles = 0;
  /** Depth of the dropped element that contains the current one; 0 if there is none. */
  let leftOut = 0;

  parser.onerror = (error) => refuse(`is no well-formed XML: ${error.message.split("\n")[0]}`);
  parser.onprocessinginstruction = ({ name, body }) => {
    if (name === "xml-stylesheet") refuse("refers to a style sheet outside itself");
    const encoding = name === "xml" ? /encoding\s*=\s*["']([^"']*)/.exec(body)?.[1] : undefined;
    if (encoding !== undefined && !/^(?:utf-?8|us-ascii|ascii)$/i.test(encoding)) {
      refuse(`must be UTF-8 text, it is declared as ${encoding}`);
    }
  };
  parser.ondoctype = (doctype) => {
    if (doctype.includes("[")) {
      refuse("has a document type with entities, which are not taken");
    }
  };
  parser.onopentag = (tag) => {
    elements++;
    depth++;
    if (elements > MAX_ELEMENTS) refuse(`has more than ${MAX_ELEMENTS} elements`);
    if (depth > DEEPEST) refuse(`has more than ${DEEPEST} elements within each other`);
    if (leftOut > 0) return;
    const { local, uri, attributes } = tag as sax.QualifiedTag;
    const isAllowed = (uri === SVG_NAMESPACE || uri === "") && ELEMENTS.has(local);
    if (!isAllowed || (root === undefined) !== (local === "svg" && depth === 1)) {
      if (root === undefined) refuse("has no svg for its root");
      leftOut = depth;
      return;
    }
    const element = elementOf(local, Object.values(attributes), pictures);
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  };
  parser.onclosetag = () => {
    depth--;
    if (leftOut > depth) leftOut = 0;
    else if (leftOut === 0) finish(open.pop());
  };
  const finish = (element: SvgElement | undefined) => {
    if (element?.name !== "style") return;
    const sheet = element.children.join("");
    styles += sheet.length;
    if (styles > MAX_STYLES) refuse(`has style sheets of more than ${MAX_STYLES} characters`);
    const own = isForScreens(element) ? rulesOf(sheet) : [];
    for (const rule of own) rules.push(rule);
    const css = own.map(({ selectors, declarations }) => `${selectors}{${cssText(declarations)}}`);
    element.children.splice(0, Number.POSITIVE_INFINITY, css.join("\n"));
  };
  const onText = (content: string) => {
    const element = leftOut === 0 ? open.at(-1) : undefined;
    if (element && TEXT_ELEMENTS.has(element.name)) element.children.push(content);
  };
  parser.ontext = onText;
  parser.oncdata = onText;

  for (let at = 0; at < text.length; at += CHUNK) parser.write(text.slice(at, at + CHUNK));
  parser.close();
  if (root === undefined) refuse("has no svg for its root");
  return { root, rules, pictures };
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refuse("must be UTF-8 text");
  }
}

const isForScreens = ({ attributes }: SvgElement) =>
  /^(?:all|screen)?$/.test(attributes.get("media")?.trim() ?? "") &&
  /^(?:text\/css)?$/.test(attributes.get("type")?.trim() ?? "");

function elementOf(
  name: string,
  given: readonly sax.QualifiedAttribute[],
  pictures: Buffer[],
): SvgElement {
  const attributes = new Map<string, string>();
  const declarations: Declaration[] = [];
  let styled: readonly Declaration[] = [];
  let href: string | undefined;
  for (const { local, uri, prefix, value } of given) {
    const isPlain = prefix === "";
    if (local === "href" && (isPlain || uri === XLINK_NAMESPACE)) {
      // SVG 2, §16.1.4: `href` counts before `xlink:href`.
      if (isPlain || href === undefined) href = value.trim();
    } else if (local === "space" && uri === XML_NAMESPACE) {
      attributes.set("xml:space", value);
    } else if (!isPlain) {
      // An editor's own attribute.
    } else if (local === "style") {
      styled = declarationsOf(value);
    } else if (local !== "transform" && (PROPERTIES.has(local) || local === "filter")) {
      const declared = presentation(local, value);
      if (declared === null) continue;
      declarations.push(declared);
      attributes.set(local, declared.value);
    } else if (ATTRIBUTES.has(local) || (name === "style" && /^(?:media|type)$/.test(local))) {
      attributes.set(local, value);
    }
  }
  if (styled.length > 0) attributes.set("style", cssText(styled));
  const target =
    href === undefined || name === "a" ? null : canonicalReference(href, name, pictures);
  if (target !== null) attributes.set("href", target);
  return {
    name,
    attributes,
    declarations: [...declarations, ...styled],
    target: target?.startsWith("#") ? target.slice(1) : null,
    children: [],
  };
}

/** Returns the canonical form of an `href`, or null if it is empty. Throws for external references. */
function canonicalReference(href: string, name: string, pictures: Buffer[]): string | null {
  if (href === "") return null;
  if (href.startsWith("#")) return href;
  const [mark, type] = (name === "image" && EMBEDDED.exec(href)) || [];
  if (mark === undefined || href.includes("%")) {
    refuse(`refers to something outside itself: href="${href.slice(0, 80)}"`);
  }
  const picture = Buffer.from(href.slice(mark.length), "base64");
  pictures.push(picture);
  if (pictures.length > EMBEDDED_PICTURES) {
    refuse(`holds more than ${EMBEDDED_PICTURES} embedded pictures`);
  }
  return `data:${type};base64,${picture.toString("base64")}`;
}
