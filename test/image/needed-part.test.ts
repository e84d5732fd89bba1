/** The part of a file that its picture needs. */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import t from "tap";
import { decode, inspect } from "../../engine/decoders/decode.ts";
import { photograph } from "../helpers/pictures.ts";

const MEBIBYTE = 1024 * 1024;
const photo = photograph(90, 60);
const image = sharp(photo.pixels, { raw: { width: 90, height: 60, channels: 3 } }).withMetadata({
  orientation: 6,
});
const noise = createHash("shake256", { outputLength: MEBIBYTE }).update("noise").digest();

const files: Readonly<Record<string, Buffer>> = {
  png: await image.clone().png().toBuffer(),
  jpeg: await image.clone().jpeg().toBuffer(),
  progressive: await image.clone().jpeg({ progressive: true }).toBuffer(),
  webp: await image.clone().webp().toBuffer(),
  gif: await image.clone().gif().toBuffer(),
  avif: await image.clone().avif({ effort: 0 }).toBuffer(),
};

function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function jpegSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.of(0xff, marker, 0, 0);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

function riffChunk(type: string, content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(type), size, content]);
}

const inserted = (file: Buffer, at: number, part: Buffer) =>
  Buffer.concat([file.subarray(0, at), part, file.subarray(at)]);

/** A GIF's sub-blocks. */
const blocks = (content: Buffer) =>
  Buffer.concat([
    ...Array.from({ length: Math.floor(content.length / 255) }, (_, at) =>
      Buffer.concat([Buffer.of(255), content.subarray(at * 255, at * 255 + 255)]),
    ),
    Buffer.of(0),
  ]);

const webpWith = (part: Buffer) => {
  const file = Buffer.concat([files.webp, part]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
};
/** After the header, whose flags state the size of its table. */
const gifHead = 13 + (3 << ((files.gif[10] & 7) + 1));

const stuffed: Readonly<Record<string, Buffer>> = {
  "behind a PNG": Buffer.concat([files.png, noise]),
  "in a PNG's text": inserted(files.png, 33, pngChunk("iTXt", noise)),
  "in a PNG's private chunks": inserted(files.png, 33, pngChunk("prIv", noise)),
  "behind a JPEG": Buffer.concat([files.jpeg, noise]),
  "behind a progressive JPEG": Buffer.concat([files.progressive, noise]),
  "in a JPEG's comments": inserted(
    files.jpeg,
    2,
    Buffer.concat([0, 1, 2, 3].map((at) => jpegSegment(0xfe, noise.subarray(at, at + 60_000)))),
  ),
  "in a JPEG's segments": inserted(
    files.jpeg,
    2,
    Buffer.concat([0, 1, 2, 3].map((at) => jpegSegment(0xed, noise.subarray(at, at + 60_000)))),
  ),
  "behind a WebP": Buffer.concat([files.webp, noise]),
  "in a WebP's chunks": webpWith(riffChunk("XMP ", noise)),
  "behind a GIF": Buffer.concat([files.gif, noise]),
  "in a GIF's comments": inserted(
    files.gif,
    gifHead,
    Buffer.concat([Buffer.of(0x21, 0xfe), blocks(noise)]),
  ),
  "behind an AVIF": Buffer.concat([
    files.avif,
    Buffer.of(0, 0x10, 0, 8),
    Buffer.from("free"),
    noise,
  ]),
};

async function isSamePicture(one: Uint8Array, other: Uint8Array): Promise<boolean> {
  const [a, b] = await Promise.all([decode(one), decode(other)]);
  return a.width === b.width && Buffer.compare(a.pixels, b.pixels) === 0;
}

t.test("drops parts of a file that its picture does not need", async (t) => {
  for (const [where, bytes] of Object.entries(stuffed)) {
    const facts = await inspect(bytes);
    t.ok(facts.bytes.length < 70_000, `${where}: ${facts.bytes.length} of ${bytes.length} bytes`);
    t.equal(facts.sha256, createHash("sha256").update(facts.bytes).digest("hex"), where);
    t.ok(await isSamePicture(facts.bytes, bytes), `${where}: the same pixels`);
    t.match(facts, /GIF/.test(where) ? { width: 90 } : { width: 60, height: 90 }, "upright");
    t.ok(await sharp(facts.bytes, { failOn: "warning" }).raw().toBuffer(), `${where}: no warning`);
  }
});

t.test("keeps a file with little unneeded data unchanged", async (t) => {
  for (const [name, file] of Object.entries(files)) {
    const bytes = Buffer.concat([file, noise.subarray(0, 60_000)]);
    t.equal((await inspect(bytes)).bytes, bytes, name);
  }
});

t.test("keeps only the first frame of a large animation", async (t) => {
  const frames = sharp(
    Buffer.concat(Array.from({ length: 40 }, (_, at) => noise.subarray(at, at + 90 * 60 * 3))),
    {
      raw: { width: 90, height: 60 * 40, channels: 3, pageHeight: 60 },
    },
  );
  const animation = await frames.gif({ loop: 0 }).toBuffer();
  const { bytes } = await inspect(animation);
  t.ok(bytes.length < animation.length / 10, `${bytes.length} of ${animation.length} bytes`);
  t.ok(await isSamePicture(bytes, animation));
  t.equal((await sharp(bytes).metadata()).pages ?? 1, 1);
});

t.test("rejects a file much larger than its pixels", async (t) => {
  const dot = await sharp({ create: { width: 1, height: 1, channels: 3, background: "#123" } })
    .tiff()
    .toBuffer();
  const padding = Buffer.alloc(5 * MEBIBYTE);
  await t.rejects(
    inspect(Buffer.concat([dot, padding])),
    /at most 4194320 are taken for 1 × 1 pixels/,
  );
  t.match(await inspect(Buffer.concat([dot, padding.subarray(0, 3 * MEBIBYTE)])), { width: 1 });
});

t.test("removes large metadata from a drawing", async (t) => {
  const open = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">';
  const drawing = Buffer.from(
    `${open}<metadata>${noise.toString("hex")}</metadata><script>${"x".repeat(99)}</script><rect width="5" height="9"/></svg>`,
  );
  const { bytes } = await inspect(drawing);
  t.equal(Buffer.from(bytes).toString(), `${open}<rect width="5" height="9"></rect></svg>`);
  t.ok(await isSamePicture(bytes, drawing));
});
