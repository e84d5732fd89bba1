/** What the encoders of all formats have in common. */
import type { Band } from "../image/bands.ts";
import type { SampledImage } from "../image/samples.ts";

/** Encodes the bands of an image in order. */
export interface Encoder {
  /**
   * Adds a band and returns the bytes that are ready, perhaps none. Throws if some bands have alpha and
   * others do not.
   */
  band(band: Band): Uint8Array | Promise<Uint8Array>;
  /**
   * Replaces `band` for an image that is or repeats a period. Yields the file in parts, some the same
   * object. Absent if the format cannot exploit repetition.
   */
  encodePeriod?(period: SampledImage): AsyncIterable<Uint8Array>;
  /** Takes the period of a periodic image, before its first band, to choose a palette. */
  choosePixelFormat?(period: SampledImage): void;
  end(): Uint8Array | Promise<Uint8Array>;
  /** Returns bytes to overwrite in the finished file, or null. */
  patch?(): Patch | null;
}

/** Bytes to overwrite in a finished file. */
export interface Patch {
  /** Offset in the file, in bytes. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** Returns how many bytes parts have. */
export const lengthOf = (parts: readonly Uint8Array[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0);

/** Writes parts to the front of an array, one after the other. */
export function putParts(parts: readonly Uint8Array[], into: Uint8Array): void {
  let at = 0;
  for (const part of parts) {
    into.set(part, at);
    at += part.length;
  }
}

/** Returns the parts in one array: of a single one, itself. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0];
  const all = new Uint8Array(lengthOf(parts));
  putParts(parts, all);
  return all;
}

/** Returns a function that returns a band's channels and throws if they differ from the first band's. */
export function uniformChannels() {
  let first: 3 | 4 | null = null;
  return ({ alpha, firstRow }: Pick<Band, "alpha" | "firstRow">): 3 | 4 => {
    const channels = alpha === null ? 3 : 4;
    first ??= channels;
    if (channels !== first) {
      throw new Error(`row ${firstRow} has ${channels} channels where the first had ${first}`);
    }
    return channels;
  };
}
