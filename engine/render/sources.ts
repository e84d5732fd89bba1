/** The kernels of a worker that sample sources, kept within a limit of memory. */

import { deepestCopyKernel, deepestCopyOfLightKernel } from "../../shaders/deepest-copy.ts";
import { float32sOf } from "../../shaders/lib/layout.ts";
import { SOURCE } from "../../shaders/lib/source.ts";
import { orbitKernel, orbitOfLightKernel } from "../../shaders/orbit.ts";
import { type CopyPart, PartBlocks } from "../image/continued-part.ts";
import { LIGHT_WORDS } from "../image/light.ts";
import { levelScale, type SourceLevels } from "../image/source-levels.ts";
import type { Backend, BoundKernel, CompiledKernel, KernelRunner } from "../kernel-runner.ts";
import type { Motif, SourceBytes } from "../recipe/index.ts";
import type { Size } from "../size.ts";
import type { SampledPart } from "./placement.ts";
import type { CutSeam } from "./seams/cut-seam.ts";
import { TABLE_NODES, TABLES_LENGTH, writeTables } from "./seams/cut-window.ts";

/** What is sampled at positions of the fundamental domain. */
export interface SampledElements {
  /** A table of a window's elements. */
  readonly table: Float32Array;
  /** How many of them are mixed. */
  readonly count: number;
  /** `keepContrast` of `shaders/orbit.ts`; at cut seams, `sharpness` of `shaders/deepest-copy.ts`. */
  readonly mixParameter: number;
}

/**
 * Samples a source at the first `positions` positions in the fundamental domain, of those that arrays of one length have room
 * for. Returns one number for each, or more, in memory that the next call of any part's kernels may use again.
 */
export type SampleKernel = (
  x: Float32Array,
  y: Float32Array,
  positions: number,
  elements: SampledElements,
) => ReturnType<CompiledKernel>;

/** A part of a source on the device. */
export interface BoundSource {
  /** Packed colours. */
  readonly colour: SampleKernel;
  /** Alphas; null if the source is opaque. */
  readonly alpha: SampleKernel | null;
  /** What kernels read, to be added before `prepare`; null if all of the part is prepared and copied. */
  readonly blocks: PartBlocks | null;
  /**
   * Makes what is missing of the level in the blocks, before kernels are called.
   * @param checkpoint called now and then; may throw
   */
  prepare(checkpoint: () => Promise<void>): Promise<void>;
}

/** A seam, and what identifies it. */
export interface BoundSeam extends CutSeam {
  readonly key: string;
}

export interface Sources {
  /** Binds a part of a source, for pictures that meet at a seam unless it is null. Throws `LevelMissing`. */
  bind(
    source: SourceBytes,
    levels: SourceLevels,
    part: SampledPart,
    sampling: Motif["sampling"],
    seam?: BoundSeam | null,
  ): BoundSource;
}

/**
 * Creates the sources of the worker that owns `runner`.
 * @param maximumBytes of kernels
 */
export function createSources(runner: KernelRunner, maximumBytes: number): Sources {
  const kernels = createSourceKernels(runner, maximumBytes);

  return {
    bind(source, levels, part, sampling, seam = null) {
      const placed = `${source.sha256} ${JSON.stringify(part)}`;
      const key = seam === null ? placed : `${placed} ${seam.key}`;
      return kernels.bind(key, levels, part, sampling === "pixel", seam);
    },
  };
}

/** Bytes of a kernel in addition to its pixels, its arguments and code, at most. */
const KERNEL_BYTES = 2 * 1024 * 1024;

/** A kernel with a buffer for parts of some size. */
interface SourceKernel extends BoundKernel {
  /** Pixels from one row to the next. */
  readonly length: number;
  readonly hasAlpha: boolean;
  /** Whether it samples light in place of packed colours. */
  readonly hasLight: boolean;
  /** Most rows and columns that were written so far: the operating system gives memory to these only. */
  rows: number;
  columns: number;
  /** Key of the part in it. */
  key: string;
  /** The blocks of the part that have been copied: 1, else 0. */
  copied: Uint8Array;
  /** The blocks for which all was copied last, and how many they were. */
  copiedFor: { readonly blocks: PartBlocks | null; readonly count: number };
}

/**
 * Kernels stay compiled and the parts that they sample are written into them: compiling takes longer than
 * sampling a tile. There are kernels for a few sizes of buffers.
 * @param maximumBytes beyond which the least recently used kernels are released
 */
function createSourceKernels(runner: KernelRunner, maximumBytes: number) {
  const kernels = new Map<string, SourceKernel>();

  const bytesOf = ({ columns, rows, hasAlpha, hasLight }: SourceKernel) =>
    KERNEL_BYTES + Float32Array.BYTES_PER_ELEMENT * columns * rows * (hasAlpha || hasLight ? 2 : 1);

  const kernelFor = (size: Size, hasAlpha: boolean, hasSeam: boolean): SourceKernel => {
    const { width, height } = bufferSizeFor(size, runner.backend);
    const name = [width, height, hasAlpha, hasSeam].join();
    const kernel = kernels.get(name) ?? bindKernel(runner, { width, height }, hasAlpha, hasSeam);
    kernel.rows = Math.max(kernel.rows, size.height);
    kernel.columns = Math.max(kernel.columns, size.width);
    // The order of a map is that of its insertions.
    kernels.delete(name);
    kernels.set(name, kernel);
    let bytes = [...kernels.values()].reduce((sum, other) => sum + bytesOf(other), 0);
    for (const [other, unused] of kernels) {
      if (bytes <= maximumBytes || unused === kernel) break;
      unused.release();
      kernels.delete(other);
      bytes -= bytesOf(unused);
    }
    return kernel;
  };

  return {
    bind(
      key: string,
      levels: SourceLevels,
      part: SampledPart,
      keepsPixels: boolean,
      seam: BoundSeam | null,
    ): BoundSource {
      const { hasAlpha } = levels;
      const copy = levels.copyOf(part);
      const blocks = new PartBlocks(part);
      const prepared = new Uint8Array(blocks.length);
      let preparedCount = 0;
      // A GPU takes the memory of a kernel as a whole.
      const isWhole = runner.backend === "webgpu";
      if (isWhole) blocks.addWithin(part.outline);
      const { width, height, pitch } = part;
      const size = { width, height };
      // Of a picture that is shrunk there are only pixels of a level.
      const keepsApart = keepsPixels && pitch * levelScale(part.level) < 1;
      const sourceOf = (meanLightness: number) =>
        float32sOf(
          {
            right: width - 1,
            bottom: height - 1,
            meanLightness,
            edges: keepsApart ? 1 / pitch : 0,
          },
          SOURCE,
        );
      const plain = sourceOf(0);
      let mixed: Float32Array | undefined;
      const runOf =
        (wanted: 0 | 1): SampleKernel =>
        (x, y, positions, { table, count, mixParameter }) => {
          const kernel = kernelFor(size, hasAlpha, seam !== null);
          if (kernel.key !== key) {
            kernel.copied = new Uint8Array(blocks.length);
            kernel.copiedFor = NOTHING_COPIED;
            if (seam !== null)
              kernel.write("seam", TABLES_LENGTH, (into) => writeTables(seam, into));
          }
          const { copiedFor } = kernel;
          if (copiedFor.blocks !== blocks || copiedFor.count !== blocks.count) {
            // Some kernels copy only when they run, and copying may fail.
            kernel.key = "";
            copyMissing(kernel, size.height, blocks, copy);
            kernel.copiedFor = { blocks, count: blocks.count };
          }
          let facts = plain;
          // Only keeping contrast needs the mean, for which all coarser octaves have to be made.
          if (wanted === 0 && seam === null && mixParameter > 0) {
            mixed ??= sourceOf(meanLightnessOf(levels));
            facts = mixed;
          }
          const args = [x, y, table, count, mixParameter, wanted, facts];
          const values = kernel.run(positions, args, x.length);
          kernel.key = key;
          return values;
        };
      return {
        colour: runOf(0),
        alpha: hasAlpha ? runOf(1) : null,
        blocks: isWhole ? null : blocks,
        async prepare(checkpoint) {
          const { count } = blocks;
          if (count === preparedCount) return;
          const missing = blocks.missing(prepared, preparedCount, PREPARED_ROWS);
          await levels.make(part.level, missing, checkpoint);
          preparedCount = count;
        },
      };
    },
  };
}

/** Returns the square root of the luminance of a source's mean colour (Rec. 709, like the kernel's). */
function meanLightnessOf({ mean: [red, green, blue] }: SourceLevels): number {
  return Math.sqrt(0.2126 * red + 0.7152 * green + 0.0722 * blue);
}

/** Most pixels of a buffer that is larger than its part (64 MB as light). */
const MAX_BUFFER_PIXELS = 2 ** 23;

/**
 * Shortest sides of a buffer, the first that is small enough: most parts fit one of 2048², of which memory is taken where it is
 * written. A GPU takes the memory of whole rows.
 */
const SHORTEST_SIDES = { webgpu: [1024], webasm: [2048, 1024], cpu: [2048, 1024] } as const;

/** Returns the size of the buffer for a part: there are few sizes, so that parts share buffers. */
export function bufferSizeFor({ width, height }: Size, backend: Backend): Size {
  for (const shortest of SHORTEST_SIDES[backend]) {
    const side = (length: number) => 2 ** Math.ceil(Math.log2(Math.max(length, shortest)));
    const buffer = { width: side(width), height: side(height) };
    if (buffer.width * buffer.height <= MAX_BUFFER_PIXELS) return buffer;
  }
  return { width, height };
}

/** Pixels by which rows are longer: neighbours in a column would compete for the same lines of the cache. */
const PADDING = 8;
/** Rows below a part, which interpolation reads with weight 0. */
const ROWS_BELOW = 1;

function bindKernel(
  runner: KernelRunner,
  { width, height }: Size,
  hasAlpha: boolean,
  hasSeam: boolean,
): SourceKernel {
  const length = width + PADDING;
  const hasLight = runner.backend === "webasm";
  const rows = { rows: height, length };
  const constants = {
    colours: hasLight ? { rows: height + ROWS_BELOW, length, depth: LIGHT_WORDS } : rows,
    alphas: hasAlpha && !hasLight ? rows : { values: Float32Array.of(255), length: 1 },
    hasAlpha: hasAlpha ? 1 : 0,
  };
  const [orbit, deepestCopy] = hasLight
    ? [orbitOfLightKernel, deepestCopyOfLightKernel]
    : [orbitKernel, deepestCopyKernel];
  const seam = { rows: TABLES_LENGTH / TABLE_NODES, length: TABLE_NODES };
  const bound = hasSeam
    ? runner.bind(deepestCopy, { ...constants, seam, lastNode: TABLE_NODES - 1 })
    : runner.bind(orbit, constants);
  return {
    ...bound,
    length,
    hasAlpha,
    hasLight,
    rows: 0,
    columns: 0,
    key: "",
    copied: new Uint8Array(0),
    copiedFor: NOTHING_COPIED,
  };
}

/** Rows of blocks that are prepared together. */
const PREPARED_ROWS = 4;

const NOTHING_COPIED = { blocks: null, count: 0 };

/** Copies the blocks that are needed and missing into the memory of a kernel. */
function copyMissing(
  { write, length, hasAlpha, hasLight, copied, copiedFor }: SourceKernel,
  rows: number,
  blocks: PartBlocks,
  copy: CopyPart,
): void {
  const known = copiedFor.blocks === blocks ? copiedFor.count : 0;
  const missing = [...blocks.missing(copied, known)];
  if (missing.length === 0) return;
  const count = rows * length;
  if (hasLight) {
    write("colours", LIGHT_WORDS * count, ({ buffer, byteOffset, length: words }) =>
      copy({ light: new Int32Array(buffer, byteOffset, words), length }, missing),
    );
    return;
  }
  write("colours", count, (colour) => {
    if (!hasAlpha) copy({ colour, alpha: null, length }, missing);
    else write("alphas", count, (alpha) => copy({ colour, alpha, length }, missing));
  });
}
