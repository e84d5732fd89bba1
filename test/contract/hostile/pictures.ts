/** Picture files that cost a decoder more than their size suggests, or have false headers. */
import { crc32 } from "node:zlib";
import { EXAMPLE_PNG } from "../../../server/actions/received-picture.ts";

/** A valid picture. */
export const PNG = Buffer.from(EXAMPLE_PNG, "base64");

/** The PNG with other sides in its header and a correct checksum (third edition, 11.2.1). */
function withSides(width: number, height: number): Buffer {
  const png = Buffer.from(PNG);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

const svg = (body: string, size = 'width="9" height="9"') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${body}</svg>`);

const RECTANGLE = '<rect width="9" height="9"/>';

const PREFIXED =
  '<a.b:filter xmlns:a.b="http://www.w3.org/2000/svg" id="f"><a.b:feGaussianBlur stdDeviation="60"/></a.b:filter>';

export const HOSTILE_PICTURES: readonly Buffer[] = [
  svg('<rect width="9" height="9" style="&#102;ilter:blur(60px)"/>'),
  svg('<rect width="9" height="9" style="\\66ilter:blur(60px)"/>'),
  svg(`<style><![CDATA[rect{f\\69lter:blur(9px)}]]></style>${RECTANGLE}`),
  svg(`${PREFIXED}<rect width="9" height="9" style="&#102;ilter:url(&#35;f)"/>`),
  svg("<style".repeat(5000)),
  svg(`${'<g opacity="0.99">'.repeat(500)}${RECTANGLE}${"</g>".repeat(500)}`),
  svg(RECTANGLE, 'width="1e9" height="1e9"'),
  svg(RECTANGLE, 'width="1" height="1e300"'),
  svg(RECTANGLE, 'width="-1" height="NaN"'),
  svg(RECTANGLE, 'viewBox="0 0 1e-300 1e300"'),
  withSides(0, 0),
  withSides(2 ** 31 - 1, 2 ** 31 - 1),
  withSides(1, 2 ** 31 - 1),
  withSides(100_000, 1),
  Buffer.concat([PNG, Buffer.alloc(2 ** 16)]),
  Buffer.concat([PNG, PNG]),
];
