/** A worker's sources and the kernels that sample them, cached within memory limits. */

import { LRUCache } from "lru-cache";
import { deepestCopyKernel } from "../../shaders/deepest-copy.ts";
import { float32sOf } from "../../shaders/lib/layout.ts";
import { SOURCE } from "../../shaders/lib/source.ts";
import { orbitKernel } from "../../shaders/orbit.ts";
import { singleSampleKernel } from "../../shaders/single-sample.ts";
import type { Affine } from "../geometry/affine.ts";
import type { PartRows } from "../image/continued-part.ts";
import { LevelMissing, type SourceLevels } from "../image/source-levels.ts";
import type { BoundKernel, CompiledKernel, KernelRunner } from "../kernel-runner.ts";
import type { Motif, SourceBytes } from "../recipe/index.ts";
import type { Size } from "../size.ts";
import type { Codec } from "./codec.ts";
import { type Cut, FINE_PITCH } from "./placement.ts";
import { addCorrection } from "./seams/correction.ts";
import { type CutSeam, DEPTH_NODES } from "./seams/cut-seam.ts";

/** A cut of a source on the device. */
export interface BoundSource {
  /** Colours of windowed orbits. */
  readonly colour: CompiledKernel;
  /** Their alpha; null if the source is opaque. */
  readonly alpha: CompiledKernel | null;
  /** Colours of single samples; null if the source has alpha. */
  readonly single: CompiledKernel | null;
}

/** A seam, in place among the pixels of a cut. */
export interface BoundSeam extends CutSeam {
  /** Map from pixels of the cut to the domain. */
  readonly fromPixels: Affine;
  readonly key: string;
}

export interface Sources {
  /** Resolves with a source's levels. Rejects as `Codec.levels` does. */
  levels(source: SourceBytes, codec: Codec): Promise<SourceLevels>;
  /**
   * Binds a cut of a source, for pictures that meet at a seam unless it is null. Throws `LevelMissing`.
   */
  bound(
    source: SourceBytes,
    levels: SourceLevels,
    cut: Cut,
    sampling: Motif["sampling"],
    seam?: BoundSeam | null,
  ): BoundSource;
}

/**
 * Creates the sources of the worker that owns `runner`.
 * @param maximumBytes of levels, and half as much again of kernels
 */
export function createSources(runner: KernelRunner, maximumBytes: number): Sources {
  const opened = new LRUCache<string, SourceLevels>({
    maxSize: maximumBytes,
    sizeCalculation: ({ memory }) => memory.byteLength,
  });
  const kernels = createSourceKernels(runner, maximumBytes / 2);

  return {
    async levels(source, codec) {
      for (const [sha256, levels] of opened.entries()) {
        if (levels.isOutdated()) opened.delete(sha256);
      }
      const known = opened.get(source.sha256);
      if (known !== undefined) return known;
      const levels = await codec.levels(source);
      opened.set(source.sha256, levels);
      return levels;
    },
    bound(source, levels, cut, sampling, seam = null) {
      const part = `${source.sha256} ${JSON.stringify(cut)}`;
      const key = seam === null ? part : `${part} ${seam.key}`;
      // Before a kernel is bound to it.
      if (cut.level < levels.finest) throw new LevelMissing(cut.level);
      const copy = (into: PartRows) => levels.copy(cut, into);
      return kernels.bind(key, levels, cut, sampling === "pixel", seam, copy);
    },
  };
}

/**
 * Bytes of the kernels of one room in addition to their pixels: their arguments. Measured on webasm:
 * 3.2 MB once each has run.
 */
const KERNEL_BYTES = 4 * 1024 * 1024;

/** Kernels that share a room's size, and the bytes that they take. */
interface SourceKernels {
  readonly colour: SourceKernel;
  readonly alpha: SourceKernel | null;
  readonly single: SourceKernel | null;
  readonly rowBytes: number;
  /** Most rows that were written so far: the operating system gives memory to these only. */
  rows: number;
  /** Where the cut that was copied last lies in the memory of a kernel. */
  last: { readonly key: string; readonly rows: PartRows } | null;
}

interface SourceKernel extends BoundKernel {
  /** Key of the cut that was written last. */
  cut: string;
}

/**
 * Kernels stay compiled and the cuts that they sample are written into them: compiling takes longer than
 * sampling a tile. There are kernels for a few sizes of rooms.
 * @param maximumBytes beyond which the least recently used kernels are released
 */
function createSourceKernels(runner: KernelRunner, maximumBytes: number) {
  const rooms = new Map<string, SourceKernels>();

  const bytesOf = ({ rowBytes, rows, alpha, single }: SourceKernels) =>
    KERNEL_BYTES + rowBytes * rows * (1 + 3 * Number(alpha !== null) + Number(single !== null));

  const roomOf = (size: Size, hasAlpha: boolean, hasSeam: boolean): SourceKernels => {
    const { width, height } = roomFor(size);
    const name = [width, height, hasAlpha, hasSeam].join();
    const room = rooms.get(name) ?? bindRoom(runner, { width, height }, hasAlpha, hasSeam);
    room.rows = Math.max(room.rows, size.height);
    // The order of a map is that of its insertions.
    rooms.delete(name);
    rooms.set(name, room);
    let bytes = [...rooms.values()].reduce((sum, other) => sum + bytesOf(other), 0);
    for (const [other, unused] of rooms) {
      if (bytes <= maximumBytes || unused === room) break;
      for (const kernel of [unused.colour, unused.alpha, unused.single]) kernel?.release();
      rooms.delete(other);
      bytes -= bytesOf(unused);
    }
    return room;
  };

  return {
    /** @param copy copies the cut into rows */
    bind(
      key: string,
      levels: SourceLevels,
      { width, height, pitch }: Cut,
      keepsPixels: boolean,
      seam: BoundSeam | null,
      copy: (into: PartRows) => void,
    ): BoundSource {
      const { hasAlpha } = levels;
      const size = { width, height };
      const sourceOf = (meanLightness: number) =>
        float32sOf(
          {
            right: width - 1,
            bottom: height - 1,
            meanLightness,
            isCubic: Number(!keepsPixels && pitch < FINE_PITCH),
            edges: keepsPixels && pitch < 1 ? 1 / pitch : 0,
          },
          SOURCE,
        );
      const plain = sourceOf(0);
      let mixed: Float32Array | undefined;
      const runOf =
        (kind: "colour" | "alpha" | "single"): CompiledKernel =>
        (count, args) => {
          const room = roomOf(size, hasAlpha, seam !== null);
          const kernel = room[kind] as SourceKernel;
          if (kernel.cut !== key) {
            write(kernel, room, size.height, hasAlpha, (into) => {
              if (room.last?.key === key) copyRows(room.last.rows, into);
              else {
                copy(into);
                if (seam?.correction) addCorrection(into, size, seam.correction, seam.fromPixels);
              }
              room.last = { key, rows: into };
            });
            if (seam !== null && kind !== "single") writeDepths(kernel, seam);
            kernel.cut = key;
          }
          if (kind !== "colour" || seam !== null) return kernel.run(count, [...args, plain]);
          // Only mixing needs the mean, for which all coarser octaves have to be made.
          mixed ??= sourceOf(meanLightnessOf(levels));
          return kernel.run(count, [...args, mixed]);
        };
      return {
        colour: runOf("colour"),
        alpha: hasAlpha ? runOf("alpha") : null,
        single: hasAlpha ? null : runOf("single"),
      };
    },
  };
}

/** Returns the square root of the luminance of a source's mean colour (Rec. 709, like the kernel's). */
function meanLightnessOf({ mean: [red, green, blue] }: SourceLevels): number {
  return Math.sqrt(0.2126 * red + 0.7152 * green + 0.0722 * blue);
}

/** Most pixels of a room that is larger than its cut. */
const MAX_ROOM_PIXELS = 2 ** 24;

/** Returns the size of a cut's room: there are few, so that cuts share them. */
function roomFor({ width, height }: Size): Size {
  const side = (length: number) => 2 ** Math.ceil(Math.log2(Math.max(length, 1024)));
  const room = { width: side(width), height: side(height) };
  return room.width * room.height <= MAX_ROOM_PIXELS ? room : { width, height };
}

/** Pixels by which rows are longer: neighbours in a column would compete for the same lines of the cache. */
const PADDING = 16;

function bindRoom(
  runner: KernelRunner,
  { width, height }: Size,
  hasAlpha: boolean,
  hasSeam: boolean,
): SourceKernels {
  const colours = { rows: height, length: width + PADDING };
  const constants = {
    colours,
    alphas: hasAlpha ? colours : { values: Float32Array.of(255), length: 1 },
    hasAlpha: hasAlpha ? 1 : 0,
  };
  const compiled = (bound: BoundKernel): SourceKernel => ({ ...bound, cut: "" });
  const depths = { rows: DEPTH_NODES, length: DEPTH_NODES };
  const orbit = (wanted: 0 | 1) =>
    compiled(
      hasSeam
        ? runner.bind(deepestCopyKernel, {
            ...constants,
            wanted,
            depths,
            lastNode: DEPTH_NODES - 1,
          })
        : runner.bind(orbitKernel, { ...constants, wanted }),
    );
  return {
    colour: orbit(0),
    alpha: hasAlpha ? orbit(1) : null,
    single: hasAlpha ? null : compiled(runner.bind(singleSampleKernel, constants)),
    rowBytes: colours.length * Float32Array.BYTES_PER_ELEMENT,
    rows: 0,
    last: null,
  };
}

function write(
  kernel: BoundKernel,
  { rowBytes }: SourceKernels,
  rows: number,
  hasAlpha: boolean,
  copy: (into: PartRows) => void,
): void {
  const length = rowBytes / Float32Array.BYTES_PER_ELEMENT;
  const count = rows * length;
  kernel.write("colours", count, (colour) => {
    if (!hasAlpha) copy({ colour, alpha: null, length });
    else kernel.write("alphas", count, (alpha) => copy({ colour, alpha, length }));
  });
}

function writeDepths(kernel: BoundKernel, { grid: { width, height }, depths }: CutSeam): void {
  kernel.write("depths", DEPTH_NODES ** 2, (into) => {
    // The last column and row go on.
    for (let row = 0, to = 0; row < DEPTH_NODES; row++) {
      const from = Math.min(row, height - 1) * width;
      for (let column = 0; column < DEPTH_NODES; column++, to++) {
        into[to] = depths[from + Math.min(column, width - 1)];
      }
    }
  });
}

function copyRows(from: PartRows, into: PartRows): void {
  into.colour.set(from.colour);
  if (from.alpha !== null) into.alpha?.set(from.alpha);
}
