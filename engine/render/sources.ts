/**
 * Caches a worker's sources, decoded and resampled to the scale of a render, and the kernels that sample
 * them, within memory limits.
 */

import { LRUCache } from "lru-cache";
import { float32sOf } from "../../shaders/lib/layout.ts";
import { SOURCE } from "../../shaders/lib/source.ts";
import { orbitKernel } from "../../shaders/orbit.ts";
import { singleSampleKernel } from "../../shaders/single-sample.ts";
import type { DecodedImage, LinearImage } from "../image/picture.ts";
import { resample } from "../image/resample.ts";
import { SRGB_TABLE_SIZE, srgbBySquareRoot } from "../image/transfer.ts";
import type { Backend, BoundKernel, CompiledKernel, KernelRunner } from "../kernel-runner.ts";
import type { SourceBytes } from "../recipe/index.ts";
import type { Size } from "../size.ts";
import type { Codec } from "./codec.ts";
import type { Cut } from "./placement.ts";

/** A cut of a source on the device. */
export interface BoundSource {
  /** Colours of windowed orbits. */
  readonly colour: CompiledKernel;
  /** Their alpha; null if the source is opaque. */
  readonly alpha: CompiledKernel | null;
  /** Colours of single samples; null if the source has alpha. */
  readonly single: CompiledKernel | null;
}

export interface Sources {
  /** Resolves with a source's pixels, decoding them unless cached. Rejects as `Codec.decode` does. */
  decoded(source: SourceBytes, codec: Codec): Promise<DecodedImage>;
  bound(source: SourceBytes, picture: DecodedImage, cut: Cut): BoundSource;
}

/**
 * Creates the sources of the worker that owns `runner`.
 * @param maximumBytes of decoded pictures, and as much again of cuts, half of it on the device
 */
export function createSources(runner: KernelRunner, maximumBytes: number): Sources {
  const pictures = new LRUCache<string, DecodedImage>({
    maxSize: maximumBytes,
    sizeCalculation: (picture) => picture.pixels.byteLength,
  });
  const cuts = new LRUCache<string, LinearImage>({
    maxSize: Math.ceil(maximumBytes / 2),
    sizeCalculation: (cut) => cut.values.byteLength,
  });
  const kernels = createSourceKernels(runner, maximumBytes / 2);
  /** The last one, which may be too large for the cache. */
  let last: { readonly key: string; readonly image: LinearImage } | undefined;

  const resampled = (key: string, picture: DecodedImage, cut: Cut): LinearImage => {
    const known = last?.key === key ? last.image : cuts.get(key);
    const image = known ?? resample(picture, cut, cut.outWidth, cut.outHeight);
    last = { key, image };
    cuts.set(key, image);
    return image;
  };

  return {
    async decoded(source, codec) {
      const known = pictures.get(source.sha256);
      if (known !== undefined) return known;
      const picture = await codec.decode(source.bytes);
      pictures.set(source.sha256, picture);
      return picture;
    },
    bound(source, picture, cut) {
      const key = [source.sha256, ...Object.values(cut)].join();
      return kernels.bind(key, resampled(key, picture, cut));
    },
  };
}

/**
 * Bytes of the kernels of one room in addition to their pixels: their arguments and tables. Measured on
 * webasm: 3.2 MB once each has run.
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
    KERNEL_BYTES + rowBytes * rows * (1 + Number(alpha !== null) + Number(single !== null));

  const roomOf = (key: string, image: LinearImage): SourceKernels => {
    const { width, height } = roomFor(runner.backend, image);
    // A GPU compiles anew for each cut, so there each has its own.
    const name = runner.backend === "webgpu" ? key : [width, height, image.channels].join();
    const room = rooms.get(name) ?? bindRoom(runner, { width, height }, image.channels);
    room.rows = Math.max(room.rows, image.height);
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
    bind(key: string, image: LinearImage): BoundSource {
      const { width, height, channels, mean } = image;
      // Rec. 709, like the kernel's.
      const luminance = 0.2126 * mean[0] + 0.7152 * mean[1] + 0.0722 * mean[2];
      const source = float32sOf(
        { right: width - 1, bottom: height - 1, meanLightness: Math.sqrt(luminance) },
        SOURCE,
      );
      const runOf =
        (kind: "colour" | "alpha" | "single"): CompiledKernel =>
        (count, args) => {
          const room = roomOf(key, image);
          const kernel = room[kind] as SourceKernel;
          if (kernel.cut !== key) write(kernel, image, room.rowBytes);
          kernel.cut = key;
          return kernel.run(count, [...args, source]);
        };
      return {
        colour: runOf("colour"),
        alpha: channels === 4 ? runOf("alpha") : null,
        single: channels === 4 ? null : runOf("single"),
      };
    },
  };
}

/** Most pixels of a room that is larger than its cut. */
const MAX_ROOM_PIXELS = 2 ** 24;

/** Returns the size of a cut's room: there are few, so that cuts share them. */
function roomFor(backend: Backend, { width, height }: Size): Size {
  const side = (length: number) => 2 ** Math.ceil(Math.log2(Math.max(length, 1024)));
  const room = { width: side(width), height: side(height) };
  const isShared = backend !== "webgpu" && room.width * room.height <= MAX_ROOM_PIXELS;
  return isShared ? room : { width, height };
}

/** Pixels by which rows are longer: neighbours in a column would compete for the same lines of the cache. */
const PADDING = 16;

function bindRoom(runner: KernelRunner, { width, height }: Size, channels: 3 | 4): SourceKernels {
  const length = (width + PADDING) * channels;
  const constants = {
    source: { rows: height, length },
    stride: channels,
    transfer: srgbBySquareRoot,
    transferTop: SRGB_TABLE_SIZE - 1,
  };
  const compiled = (bound: BoundKernel): SourceKernel => ({ ...bound, cut: "" });
  const orbit = (wanted: 0 | 1) => compiled(runner.bind(orbitKernel, { ...constants, wanted }));
  return {
    colour: orbit(0),
    alpha: channels === 4 ? orbit(1) : null,
    single: channels === 4 ? null : compiled(runner.bind(singleSampleKernel, constants)),
    rowBytes: length * Float32Array.BYTES_PER_ELEMENT,
    rows: 0,
  };
}

function write(
  kernel: BoundKernel,
  { width, height, channels, values }: LinearImage,
  rowBytes: number,
): void {
  const length = rowBytes / values.BYTES_PER_ELEMENT;
  const used = width * channels;
  kernel.write("source", height * length, (numbers) => {
    for (let row = 0; row < height; row++) {
      numbers.set(values.subarray(row * used, (row + 1) * used), row * length);
    }
  });
}
