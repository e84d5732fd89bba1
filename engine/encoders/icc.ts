/**
 * An sRGB ICC profile for print files. Version 2.1 (ICC.1:1998-09), which every reader understands,
 * with a table of all 8-bit values in place of version 4's parametric curves.
 */
import { SRGB8_TO_LINEAR } from "../image/transfer.ts";
import { uint32be } from "./png/uint32-be.ts";

export interface IccProfile {
  /** Description that programs show. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The name that the print trade uses. */
const NAME = "sRGB IEC61966-2.1";

const HEADER_BYTES = 128;

/** XYZ as 16.16 fixed-point numbers; the three primaries add up to the white. */
type Fixed = readonly [number, number, number];

/** D50, the white of the profile connection space (§6.1.8). */
const WHITE: Fixed = [63190, 65536, 54061];

/** The primaries of IEC 61966-2-1 adapted from D65 to D50 by the Bradford transform. */
const RED: Fixed = [28576, 14578, 911];
const GREEN: Fixed = [25238, 46985, 6362];
const BLUE: Fixed = [9376, 3973, 46788];

/** Returns a tag's value: type, four zeros, content (§6.5), padded to 4 bytes. */
function element(type: string, ...parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat([Buffer.from(`${type}\0\0\0\0`, "latin1"), ...parts]);
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
}

const xyz = (fixed: Fixed) => element("XYZ ", uint32be(...fixed));

/** textDescriptionType (§6.5.17): ASCII, without Unicode and ScriptCode. */
const description = (text: string) =>
  element("desc", uint32be(text.length + 1), Buffer.from(`${text}\0`, "latin1"), Buffer.alloc(78));

/** curveType (§6.5.3). */
function curve(linear: Float32Array): Buffer {
  const bytes = Buffer.alloc(2 * linear.length);
  linear.forEach((light, at) => {
    bytes.writeUInt16BE(Math.round(65535 * light), 2 * at);
  });
  return element("curv", uint32be(linear.length), bytes);
}

/** §6.1. The date is fixed so that the bytes never change. */
function header(size: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt32BE(size, 0);
  bytes.writeUInt32BE(0x02100000, 8);
  bytes.write("mntrRGB XYZ ", 12, "latin1");
  [2026, 1, 1, 0, 0, 0].forEach((part, at) => {
    bytes.writeUInt16BE(part, 24 + 2 * at);
  });
  bytes.write("acsp", 36, "latin1");
  bytes.set(uint32be(...WHITE), 68);
  return bytes;
}

function build(): Uint8Array {
  const tone = curve(SRGB8_TO_LINEAR);
  const tags: readonly (readonly [signature: string, value: Buffer])[] = [
    ["desc", description(NAME)],
    ["cprt", element("text", Buffer.from("CC0\0", "latin1"))],
    ["wtpt", xyz(WHITE)],
    ["rXYZ", xyz(RED)],
    ["gXYZ", xyz(GREEN)],
    ["bXYZ", xyz(BLUE)],
    ["rTRC", tone],
    ["gTRC", tone],
    ["bTRC", tone],
  ];
  // Tags may share a value (§6.3).
  const values = [...new Set(tags.map(([, value]) => value))];
  const places = new Map<Buffer, number>();
  let size = HEADER_BYTES + 4 + 12 * tags.length;
  for (const value of values) {
    places.set(value, size);
    size += value.length;
  }
  const table = tags.map(([signature, value]) =>
    Buffer.concat([
      Buffer.from(signature, "latin1"),
      uint32be(places.get(value) as number, value.length),
    ]),
  );
  return Buffer.concat([header(size), uint32be(tags.length), ...table, ...values]);
}

export const SRGB_PROFILE: IccProfile = { name: NAME, bytes: build() };
