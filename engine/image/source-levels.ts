/**
 * A source at smaller sizes, half an octave apart (Williams, "Pyramidal Parametrics", 1983), each made once, as
 * far as designs have read it, so that others only have to sample it, at any scale. All levels of a source lie in
 * one block of memory, which threads can share.
 */

import type { Size } from "../size.ts";
import { type CopyPart, createPartCopy } from "./continued-part.ts";
import {
  areAllMade,
  blockCount,
  makeBlocks,
  newWaitBudget,
  type WaitBudget,
} from "./level-blocks.ts";
import { linearChannel, packPixels } from "./packed.ts";
import type { ByteImage, PackedImage, Region } from "./picture.ts";
import { createResampler, type Resampler } from "./resample.ts";

/** Linear mean colour. */
export type MeanColour = readonly [red: number, green: number, blue: number];

export type LevelMemory = ArrayBuffer | SharedArrayBuffer;

/**
 * Where the levels of a source are, in memory of their own or in a part of a larger one: a header of integers, then
 * colours and alpha of each level.
 */
export interface LevelPlace<Memory extends LevelMemory = LevelMemory> {
  readonly memory: Memory;
  /** Where they begin, in bytes: a multiple of 4. */
  readonly start: number;
}

/**
 * Integers of the header: width, height, 1 if there is alpha, the finest level that there is, then a flag for
 * each block of each level.
 */
const HEADER = { width: 0, height: 1, hasAlpha: 2, finest: 3, flags: 4 } as const;

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

/** Returns the bytes that the levels of a picture take. */
export const levelBytes = ({ width, height, channels }: Omit<ByteImage, "pixels">) =>
  layoutOf({ width, height }, channels === 4, 0).end;

/** Returns where the levels from `finest` on begin in their place, and its end, in bytes; and their flags. */
function layoutOf(size: Size, hasAlpha: boolean, finest: number) {
  const last = lastLevel(size);
  const flags: number[] = [];
  let flagged = HEADER.flags;
  for (let level = finest; level <= last; level++) {
    flags[level] = flagged;
    flagged += blockCount(levelSize(size, level));
  }
  const offsets: number[] = [];
  let end = Int32Array.BYTES_PER_ELEMENT * flagged;
  for (let level = finest; level <= last; level++) {
    offsets[level] = end;
    const { width, height } = levelSize(size, level);
    const alpha = hasAlpha ? Math.ceil((width * height) / 4) * 4 : 0;
    end += width * height * Float32Array.BYTES_PER_ELEMENT + alpha;
  }
  return { flags, flagged, offsets, end };
}

/** A rectangle of a level, in whole pixels of it; beyond its edges the level is continued. */
export interface LevelPart extends Region {
  readonly level: number;
}

export interface SourceLevels extends Size, LevelPlace {
  readonly hasAlpha: boolean;
  /** The finest level that there is. */
  readonly finest: number;
  /** Mean colour, weighted by alpha; black if nothing is visible. */
  readonly mean: MeanColour;
  /** Returns a level. Throws `LevelMissing`. */
  level(level: number): PackedImage;
  /**
   * Makes what is missing of rectangles of a level and of what continues it. Rejects with `LevelMissing`.
   * @param checkpoint called after each; may throw
   */
  make(level: number, rectangles: Iterable<Region>, checkpoint: () => Promise<void>): Promise<void>;
  /** Returns a function that copies what has been made of a part. Throws `LevelMissing`. */
  copyOf(part: LevelPart): CopyPart;
}

const ownPlace = (bytes: number): LevelPlace => ({ memory: new ArrayBuffer(bytes), start: 0 });

/** Prepares a source, whose levels are made as far as they are asked for. */
export function prepareLevels(picture: ByteImage, allocate = ownPlace): SourceLevels {
  const { levels, write } = writeLevels(picture, allocate);
  write(picture.pixels);
  return levels;
}

/**
 * Continues the levels of a source from one of its whole octaves: the same bytes as those that are made
 * from the source itself.
 * @param size of the source
 * @param finest the level that `image` is
 */
export function levelsFromOctave(
  size: Size,
  finest: number,
  { channels, pixels }: ByteImage,
): SourceLevels {
  const { levels, write } = writeLevels({ ...size, channels }, ownPlace, finest);
  write(pixels);
  return levels;
}

export interface LevelWriter {
  readonly levels: SourceLevels;
  /** Adds pixels to the finest level, whole ones in order. Nothing else is to be read before all are there. */
  write(pixels: Uint8Array): void;
}

/**
 * Prepares a source, as `prepareLevels` does, whose pixels come piece by piece.
 * @param allocate returns a place for this many bytes, which need not be zero
 */
export function writeLevels(
  { width, height, channels }: Omit<ByteImage, "pixels">,
  allocate = ownPlace,
  finest = 0,
): LevelWriter {
  const hasAlpha = channels === 4;
  const { flagged, end } = layoutOf({ width, height }, hasAlpha, finest);
  const place = allocate(end);
  const header = new Int32Array(place.memory, place.start, flagged);
  header[HEADER.width] = width;
  header[HEADER.height] = height;
  header[HEADER.hasAlpha] = Number(hasAlpha);
  header[HEADER.finest] = finest;
  header.fill(0, HEADER.flags);
  const levels = openLevels(place);
  const image = levels.level(finest);
  let written = 0;
  const write = (pixels: Uint8Array) => {
    packPixels(pixels, channels, image, written);
    written += pixels.length / channels;
  };
  return { levels, write };
}

/** Opens levels that were prepared in this thread or another. */
export function openLevels({ memory, start }: LevelPlace): SourceLevels {
  const facts = new Int32Array(memory, start, HEADER.flags);
  const size = { width: facts[HEADER.width], height: facts[HEADER.height] };
  const hasAlpha = facts[HEADER.hasAlpha] === 1;
  const finest = facts[HEADER.finest];
  const layout = layoutOf(size, hasAlpha, finest);
  const header = new Int32Array(memory, start, layout.flagged);
  const imageOf = (level: number): PackedImage => {
    if (level < finest) throw new LevelMissing(level);
    const { width, height } = levelSize(size, level);
    const count = width * height;
    const colour = new Float32Array(memory, start + layout.offsets[level], count);
    const alphaAt = colour.byteOffset + colour.byteLength;
    return {
      width,
      height,
      colour,
      alpha: hasAlpha ? new Uint8Array(memory, alphaAt, count) : null,
    };
  };
  const resamplers = new Map<number, Resampler>();
  const make = (level: number, image: PackedImage, part: Region, budget: WaitBudget): void => {
    // Whole octaves are made of whole octaves, so that few filters follow each other.
    const parent = level % 2 === 0 ? level - 2 : level - 1;
    const ratio = levelScale(level) / levelScale(parent);
    const resampler =
      resamplers.get(level) ?? createResampler(imageOf(parent), ratio, levelSize(size, level));
    resamplers.set(level, resampler);
    partOf(parent, resampler.needed(part), budget);
    resampler.run(part, image);
  };
  const flagsOf = (level: number, image: Size) => {
    const first = layout.flags[level];
    return header.subarray(first, first + blockCount(image));
  };
  const isMade = (level: number) =>
    level === finest || areAllMade(flagsOf(level, levelSize(size, level)));
  const partOf = (level: number, region: Region, budget = newWaitBudget()): PackedImage => {
    const image = imageOf(level);
    if (level === finest) return image;
    makeBlocks(image, region, flagsOf(level, image), budget, (part) =>
      make(level, image, part, budget),
    );
    return image;
  };
  const levelOf = (level: number) => partOf(level, { x: 0, y: 0, ...levelSize(size, level) });
  let mean: MeanColour | undefined;
  return {
    ...size,
    memory,
    start,
    hasAlpha,
    finest,
    get mean() {
      mean ??= meanOf(levelOf(octaveWithin(size, MEAN_PIXELS)));
      return mean;
    },
    level: levelOf,
    async make(level, rectangles, checkpoint) {
      if (level >= finest && isMade(level)) return;
      const budget = newWaitBudget();
      for (const rectangle of rectangles) {
        partOf(level, rectangle, budget);
        await checkpoint();
      }
    },
    copyOf: ({ level, ...region }) => createPartCopy(imageOf(level), region),
  };
}

/** Returns the first whole octave with at most so many pixels. */
export function octaveWithin(size: Size, pixels: number): number {
  let level = 0;
  while (areaOf(levelSize(size, level)) > pixels) level += 2;
  return level;
}

const areaOf = ({ width, height }: Size) => width * height;

function meanOf({ colour, alpha }: PackedImage): MeanColour {
  const sums: [number, number, number] = [0, 0, 0];
  let visible = 0;
  for (let at = 0; at < colour.length; at++) {
    const share = alpha === null ? 1 : alpha[at] / 255;
    sums[0] += share * linearChannel(colour[at], 16);
    sums[1] += share * linearChannel(colour[at], 8);
    sums[2] += share * linearChannel(colour[at], 0);
    visible += share;
  }
  if (visible === 0) return [0, 0, 0];
  return [sums[0] / visible, sums[1] / visible, sums[2] / visible];
}
