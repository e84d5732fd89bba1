/**
 * What an SVG may hold before the rasteriser sees it. The rasteriser (librsvg) loads nothing from
 * outside by itself, as it is given no base address; the check here says so to people, instead of
 * leaving a hole in their picture, and it bounds the pictures that are embedded, which the
 * rasteriser does not.
 */
import { SourceUnreadable } from "../errors.ts";
import { expandedElements } from "./svg-expansion.ts";

/**
 * The longer side, in pixels, that a smaller drawing is enlarged to. A drawing has no pixels of
 * its own; at the size of an icon it would make a blurred pattern.
 */
export const SVG_SIDE = 2048;

/** Pixels that all pictures embedded in one drawing may have together; each costs the rasteriser 12 bytes. */
export const SVG_EMBEDDED_PIXELS = 16_000_000;

/** How many pictures may be embedded; the size of each has to be read. */
const EMBEDDED_PICTURES = 256;

/** Elements that may be drawn, references followed: half a second or so. */
const DRAWN_ELEMENTS = 100_000;

const EMBEDDED = /^data:image\/(?:png|jpe?g|gif|webp);base64,/;

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** Text of an attribute with XML's character references written out, as a parser reads it. */
function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function refuse(what: string): never {
  throw new SourceUnreadable(`the SVG ${what}`);
}

/**
 * Refuses a drawing that refers to anything outside itself: allowed are `#name` and embedded
 * `data:` pictures (PNG, JPEG, GIF, WebP in base64). Document types, entities, style sheets from
 * elsewhere and encodings other than UTF-8 or ASCII, which could hide a reference, are refused too, and so are
 * filters: the rasteriser cannot be stopped inside one.
 *
 * @param bytes the file
 * @returns the bytes of the embedded pictures, once for every mention
 * @throws {SourceUnreadable} naming what was found
 */
export function embeddedPictures(bytes: Uint8Array): Buffer[] {
  // Every mark looked for is ASCII, and one character a byte never fails to decode.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const encoding = /^[^<]*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']*)/.exec(text)?.[1];
  if (encoding !== undefined && !/^(?:utf-?8|us-ascii|ascii)$/i.test(encoding)) {
    refuse(`must be UTF-8 text, it is declared as ${encoding}`);
  }
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) {
    refuse("has a document type (<!DOCTYPE …>), which is not taken; the drawing works without it");
  }
  if (/<\?xml-stylesheet|@import/i.test(text)) refuse("refers to a style sheet outside itself");
  for (const [, target] of unescapeXml(text).matchAll(/url\(\s*["']?\s*([^)]{0,80})/gi)) {
    if (!target.startsWith("#")) refuse(`refers to something outside itself: url(${target})`);
  }
  if (/<(?:[\w-]+:)?filter[\s/>]|[\s;"'{]filter\s*[=:]/i.test(text)) {
    refuse("has filters, which are not taken: a small file could take minutes to draw");
  }
  if (expandedElements(text) > DRAWN_ELEMENTS) {
    refuse(`draws more than ${DRAWN_ELEMENTS} elements once all that it refers to is drawn`);
  }
  const pictures: Buffer[] = [];
  for (const [, , quoted] of text.matchAll(/[\s:"']href\s*=\s*(["'])(.*?)\1/gis)) {
    const target = unescapeXml(quoted).trim();
    if (target === "" || target.startsWith("#")) continue;
    const mark = EMBEDDED.exec(target)?.[0];
    // A percent sign would make the rasteriser read other bytes than are measured here.
    if (mark === undefined || target.includes("%")) {
      refuse(`refers to something outside itself: href="${target.slice(0, 80)}"`);
    }
    pictures.push(Buffer.from(target.slice(mark.length), "base64"));
    if (pictures.length > EMBEDDED_PICTURES) {
      refuse(`holds more than ${EMBEDDED_PICTURES} embedded pictures`);
    }
  }
  return pictures;
}
