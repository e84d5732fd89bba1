/**
 * A source at smaller sizes, half an octave apart (Williams, "Pyramidal Parametrics", 1983): prepared
 * once, so that every design only has to sample it, at any scale. All levels of a source lie in one
 * block of memory, which threads can share.
 */
import type { Size } from "../size.ts";
import { SHARP_CUBIC } from "./filter-weights.ts";
import { halve } from "./halve.ts";
import { readLight } from "./linear-row.ts";
import type { ByteImage, PackedImage } from "./picture.ts";
import { resample } from "./resample.ts";

/** Linear mean colour. */
export type MeanColour = readonly [red: number, green: number, blue: number];

/** The memory of all levels: a header of integers, then colours and alpha of each level. */
export type LevelMemory = ArrayBuffer | SharedArrayBuffer;

/**
 * Integers of the header: width, height, 1 if there is alpha, 1 once it is outdated, the finest level that
 * there is, then a flag for each level.
 */
const HEADER = { width: 0, height: 1, hasAlpha: 2, isOutdated: 3, finest: 4, flags: 5 } as const;

/** Pixels of the level that the mean is taken of, at most. */
const MEAN_PIXELS = 4096;

/** Returns the side of a level's pixels, in pixels of the source. */
export const levelScale = (level: number) => 2 ** (level >> 1) * (level % 2 === 1 ? Math.SQRT2 : 1);

/** Returns the number of the last level, a single pixel. */
export function lastLevel({ width, height }: Size): number {
  let last = 0;
  while (levelScale(last) < Math.max(width, height)) last += 2;
  return last;
}

/** Returns the pixels of a level; those on the right and lower edges may lie partly outside the source. */
export const levelSize = ({ width, height }: Size, level: number): Size => ({
  width: Math.ceil(width / levelScale(level)),
  height: Math.ceil(height / levelScale(level)),
});

/** A level is finer than all that there are of its source. */
export class LevelMissing extends Error {
  override readonly name = "LevelMissing";
  readonly level: number;
  constructor(level: number) {
    super(`level ${level} of the source is not there`);
    this.level = level;
  }
}

/** Returns where the levels from `finest` on begin in their memory, and its end, in bytes. */
function offsetsOf(size: Size, hasAlpha: boolean, finest: number) {
  const last = lastLevel(size);
  const offsets: number[] = [];
  let end = Int32Array.BYTES_PER_ELEMENT * (HEADER.flags + last + 1);
  for (let level = finest; level <= last; level++) {
    offsets[level] = end;
    const { width, height } = levelSize(size, level);
    const alpha = hasAlpha ? Math.ceil((width * height) / 4) * 4 : 0;
    end += width * height * Float32Array.BYTES_PER_ELEMENT + alpha;
  }
  return { offsets, end };
}

export interface SourceLevels extends Size {
  readonly memory: LevelMemory;
  readonly hasAlpha: boolean;
  /** Mean colour, weighted by alpha; black if nothing is visible. */
  readonly mean: MeanColour;
  /** Whether other threads no longer share the memory. */
  isOutdated(): boolean;
  /** Returns a level, made when it is first asked for. Throws `LevelMissing`. */
  level(level: number): PackedImage;
}

/**
 * Prepares a source: the picture itself and its whole octaves.
 * @param allocate allocates memory that is all zero
 * @param checkpoint called between octaves
 */
export async function prepareLevels(
  picture: ByteImage,
  allocate = (bytes: number): LevelMemory => new ArrayBuffer(bytes),
  checkpoint: () => Promise<void> = async () => undefined,
): Promise<SourceLevels> {
  const levels = startLevels(picture, 0, picture, allocate);
  for (let level = 2; level <= lastLevel(levels); level += 2) {
    await checkpoint();
    levels.level(level);
  }
  return levels;
}

/**
 * Continues the levels of a source from one of its whole octaves: the same bytes as those that are made
 * from the source itself.
 * @param size of the source
 * @param finest the level that `image` is
 */
export const continueLevels = (size: Size, finest: number, image: ByteImage): SourceLevels =>
  startLevels(size, finest, image, (bytes) => new ArrayBuffer(bytes));

function startLevels(
  { width, height }: Size,
  finest: number,
  { channels, pixels }: ByteImage,
  allocate: (bytes: number) => LevelMemory,
): SourceLevels {
  const hasAlpha = channels === 4;
  const memory = allocate(offsetsOf({ width, height }, hasAlpha, finest).end);
  const header = new Int32Array(memory, 0, HEADER.flags);
  header[HEADER.width] = width;
  header[HEADER.height] = height;
  header[HEADER.hasAlpha] = Number(hasAlpha);
  header[HEADER.finest] = finest;
  const levels = openLevels(memory);
  packPixels(pixels, channels, levels.level(finest));
  return levels;
}

function packPixels(pixels: Uint8Array, channels: 3 | 4, { colour, alpha }: PackedImage): void {
  for (let at = 0, from = 0; at < colour.length; at++, from += channels) {
    colour[at] = (pixels[from] << 16) | (pixels[from + 1] << 8) | pixels[from + 2];
    if (alpha !== null) alpha[at] = pixels[from + 3];
  }
}

/** Opens levels that were prepared in this thread or another. */
export function openLevels(memory: LevelMemory): SourceLevels {
  const header = new Int32Array(memory, 0, HEADER.flags);
  const size = { width: header[HEADER.width], height: header[HEADER.height] };
  const hasAlpha = header[HEADER.hasAlpha] === 1;
  const finest = header[HEADER.finest];
  const { offsets } = offsetsOf(size, hasAlpha, finest);
  const flags = new Int32Array(memory, HEADER.flags * Int32Array.BYTES_PER_ELEMENT, offsets.length);
  flags[finest] = 1;
  const imageOf = (level: number): PackedImage => {
    const { width, height } = levelSize(size, level);
    const count = width * height;
    const colour = new Float32Array(memory, offsets[level], count);
    const alphaAt = offsets[level] + colour.byteLength;
    return {
      width,
      height,
      colour,
      alpha: hasAlpha ? new Uint8Array(memory, alphaAt, count) : null,
    };
  };
  const levelOf = (wanted: number): PackedImage => {
    if (wanted < finest) throw new LevelMissing(wanted);
    const image = imageOf(wanted);
    // Two threads that make a level at the same time write the same bytes.
    if (Atomics.load(flags, wanted) === 0) {
      // Whole octaves are made of whole octaves, so that few filters follow each other.
      if (wanted % 2 === 0) halve(levelOf(wanted - 2), image);
      else {
        const [width, height] = [image.width * Math.SQRT2, image.height * Math.SQRT2];
        const region = { x: 0, y: 0, width, height };
        resample(levelOf(wanted - 1), region, image, SHARP_CUBIC, image);
      }
      Atomics.store(flags, wanted, 1);
    }
    return image;
  };
  let mean: MeanColour | undefined;
  return {
    ...size,
    memory,
    hasAlpha,
    get mean() {
      mean ??= meanOf(levelOf(octaveWithin(size, MEAN_PIXELS)));
      return mean;
    },
    isOutdated: () => Atomics.load(header, HEADER.isOutdated) === 1,
    level: levelOf,
  };
}

/** Tells the threads that share the memory to let go of it. */
export function markOutdated(memory: LevelMemory): void {
  Atomics.store(new Int32Array(memory, 0, HEADER.flags), HEADER.isOutdated, 1);
}

/** Returns the first whole octave with at most so many pixels. */
export function octaveWithin(size: Size, pixels: number): number {
  let level = 0;
  while (areaOf(levelSize(size, level)) > pixels) level += 2;
  return level;
}

const areaOf = ({ width, height }: Size) => width * height;

function meanOf(image: PackedImage): MeanColour {
  const channels = image.alpha === null ? 3 : 4;
  const light = new Float64Array(image.colour.length * channels);
  readLight(image, light);
  const sums: [number, number, number] = [0, 0, 0];
  let visible = 0;
  for (let at = 0; at < light.length; at += channels) {
    for (let channel = 0; channel < 3; channel++) sums[channel] += light[at + channel];
    visible += channels === 4 ? light[at + 3] : 1;
  }
  if (visible === 0) return [0, 0, 0];
  return [sums[0] / visible, sums[1] / visible, sums[2] / visible];
}
