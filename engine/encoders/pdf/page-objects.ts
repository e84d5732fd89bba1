/** Content of a print's page in PDF coordinates: points of 1/72 inch, y up, origin at the bottom left. */
import { MILLIMETRES_PER_INCH, type Size } from "../../size.ts";
import { array, type Dictionary, dictionary, reals } from "./file.ts";

export interface Rectangle extends Size {
  readonly left: number;
  readonly top: number;
}

/** A page in millimetres, y down. */
export interface Page extends Size {
  /** The printed area. */
  readonly bleed: Rectangle;
  /** The sheet after cutting. */
  readonly trim: Rectangle;
  /** Line segments. */
  readonly marks: readonly (readonly [x1: number, y1: number, x2: number, y2: number])[];
}

export const points = (millimetres: number): number => (millimetres / MILLIMETRES_PER_INCH) * 72;

/** Returns left, bottom, right and top of a rectangle, in points. */
function cornersOf(page: Page, { left, top, width, height }: Rectangle): number[] {
  return [left, page.height - top - height, left + width, page.height - top].map(points);
}

/** Returns the page boundaries (§14.11.2). */
export function boxesOf(page: Page): Dictionary {
  const media = array([0, 0, points(page.width), points(page.height)]);
  return {
    MediaBox: media,
    CropBox: media,
    BleedBox: array(cornersOf(page, page.bleed)),
    TrimBox: array(cornersOf(page, page.trim)),
  };
}

/** A colour space that prints on all plates of a press; black on screens (§8.6.6.4). */
export const REGISTRATION = `[/Separation /All /DeviceGray ${dictionary({
  FunctionType: "2",
  Domain: "[0 1]",
  C0: "[1]",
  C1: "[0]",
  N: "1",
})}]`;

/** Points. */
const HAIRLINE = 0.25;

/** Returns a content stream that draws the crop marks in the colour space `Registration`. */
export function drawMarks(page: Page): string {
  if (page.marks.length === 0) return "";
  const lines = page.marks.map(([x1, y1, x2, y2]) => {
    const from = [points(x1), points(page.height - y1)];
    const to = [points(x2), points(page.height - y2)];
    return `${reals(from)} m ${reals(to)} l`;
  });
  return `/Registration CS 1 SCN ${HAIRLINE} w\n${lines.join("\n")}\nS\n`;
}

/** Returns a content stream that fills the bleed with the pattern `Period`. */
export function drawPattern(page: Page): string {
  const [left, bottom] = cornersOf(page, page.bleed);
  const size = [points(page.bleed.width), points(page.bleed.height)];
  return `/Pattern cs /Period scn ${reals([left, bottom, ...size])} re f\n`;
}

/** Returns a content stream that covers the bleed with the image `Picture`. */
export function drawSheet(page: Page): string {
  const [left, bottom] = cornersOf(page, page.bleed);
  const [width, height] = [points(page.bleed.width), points(page.bleed.height)];
  return `q ${reals([width, 0, 0, height, left, bottom])} cm /Picture Do Q\n`;
}
