/**
 * Picture files that cost a decoder far more than their size suggests; each is built once a run.
 */
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

/** A file as an attacker uploads it. */
export interface HostileFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const utf8 = (text: string): Uint8Array => Buffer.from(text);

const svg = (body: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="1000" height="1000">${body}</svg>`;

/** Rectangles over the whole drawing, each in its own layer that `attributes` blur. */
const blurred = (attributes: string, definitions = "") =>
  svg(definitions + `<rect width="1000" height="1000" ${attributes}/>`.repeat(20));

/** Nested groups; each is a layer to the rasteriser. */
const nestedOpacity = (depth: number) =>
  svg(
    `${'<g opacity="0.99">'.repeat(depth)}<rect width="1000" height="1000"/>${"</g>".repeat(depth)}`,
  );

/** Each of `levels` groups uses the previous one ten times. */
function usesOfUses(levels: number): string {
  const definitions = Array.from({ length: levels }, (_, level) => {
    const use = `<use xlink:href="#l${level}"/>`;
    return `<g id="l${level + 1}">${use.repeat(10)}</g>`;
  });
  return svg(
    `<defs><rect id="l0" width="9" height="9"/>${definitions.join("")}</defs><use xlink:href="#l${levels}"/>`,
  );
}

/** PNG, third edition, section 5.3: length, type, content, and the CRC of type and content. */
function chunk(type: string, content: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.byteLength);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}

/** A grey PNG of one colour. */
function plainPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a sample.
  header[8] = 8;
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc((width + 1) * height))),
    chunk("IEND", new Uint8Array()),
  ]);
}

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/** Returns the offsets of a JPEG's start-of-scan markers and of its end (ITU-T T.81, annex B). */
function scanOffsets(jpeg: Buffer): readonly number[] {
  const offsets: number[] = [];
  for (let at = 0; at < jpeg.length - 1; at++) {
    if (jpeg[at] !== 0xff) continue;
    if (jpeg[at + 1] === START_OF_SCAN || jpeg[at + 1] === END_OF_IMAGE) offsets.push(at);
  }
  return offsets;
}

/** A progressive JPEG of one colour that repeats its last scan; each scan processes all pixels. */
async function manyScans(side: number, times: number): Promise<Buffer> {
  const plain = sharp({
    create: { width: side, height: side, channels: 3, background: "#808080" },
  });
  const jpeg = await plain.jpeg({ progressive: true }).toBuffer();
  const [last = 0, end = 0] = scanOffsets(jpeg).slice(-2);
  const scans = Array<Buffer>(times).fill(jpeg.subarray(last, end));
  return Buffer.concat([jpeg.subarray(0, end), ...scans, jpeg.subarray(end)]);
}

/** Every hostile file. */
export async function hostileFiles(): Promise<readonly HostileFile[]> {
  return [
    {
      name: "unclosed style elements.svg",
      bytes: utf8(`<svg xmlns="http://www.w3.org/2000/svg">${"<style".repeat(1_300_000)}`),
    },
    {
      name: "filter by character reference.svg",
      bytes: utf8(blurred('style="&#102;ilter:blur(60px)"')),
    },
    { name: "filter by CSS escape.svg", bytes: utf8(blurred('style="\\66ilter:blur(60px)"')) },
    {
      name: "filter with a prefix.svg",
      bytes: utf8(
        blurred(
          'style="&#102;ilter:url(&#35;f)"',
          '<a.b:filter xmlns:a.b="http://www.w3.org/2000/svg" id="f"><a.b:feGaussianBlur stdDeviation="60"/></a.b:filter>',
        ),
      ),
    },
    { name: "nested opacity.svg", bytes: utf8(nestedOpacity(1500)) },
    { name: "uses of uses.svg", bytes: utf8(usesOfUses(9)) },
    { name: "one pixel wide.png", bytes: plainPng(1, 50_000_000) },
    { name: "50 megapixels.png", bytes: plainPng(7000, 7000) },
    { name: "too large.png", bytes: plainPng(12_000, 12_000) },
    { name: "tail.png", bytes: Buffer.concat([plainPng(1, 1), Buffer.alloc(31 * 2 ** 20)]) },
    { name: "many scans.jpg", bytes: await manyScans(7000, 3000) },
    { name: "cut short.jpg", bytes: (await manyScans(7000, 3)).subarray(0, -40_000) },
  ];
}
