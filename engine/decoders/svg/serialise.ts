/** Serialises the checked document, so that the rasteriser sees nothing else. */
import type { SvgElement } from "./parse.ts";
import { SVG_NAMESPACE } from "./vocabulary.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

const escapeText = (text: string) => text.replace(/[&<>\r]/g, (sign) => ESCAPES[sign]);
const escapeAttribute = (text: string) => text.replace(/[&<>"\t\n\r]/g, (sign) => ESCAPES[sign]);

/** Returns a drawing as an SVG document in UTF-8. */
export function serialiseSvg(root: SvgElement): Buffer {
  const pieces: string[] = [];
  const write = (element: SvgElement, namespace = "") => {
    pieces.push(`<${element.name}${namespace}`);
    for (const [name, value] of element.attributes) {
      pieces.push(` ${name}="${escapeAttribute(value)}"`);
    }
    pieces.push(">");
    for (const child of element.children) {
      if (typeof child === "string") pieces.push(escapeText(child));
      else write(child);
    }
    pieces.push(`</${element.name}>`);
  };
  write(root, ` xmlns="${SVG_NAMESPACE}"`);
  return Buffer.from(pieces.join(""));
}
