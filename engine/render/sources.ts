/**
 * Caches a worker's sources: decoded, and resampled to the scale of a render and bound to kernels, within
 * memory limits.
 */

import { LRUCache } from "lru-cache";
import { orbitKernel } from "../../shaders/orbit.ts";
import { singleSampleKernel } from "../../shaders/single-sample.ts";
import type { DecodedImage } from "../image/picture.ts";
import { resample } from "../image/resample.ts";
import { SRGB_TABLE_SIZE, srgbBySquareRoot } from "../image/transfer.ts";
import type { CompiledKernel, KernelRunner } from "../kernel-runner.ts";
import type { SourceBytes } from "../recipe/index.ts";
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
 * Bytes of any cut in addition to its pixels: two compiled kernels with their arguments and tables.
 * Measured on webasm: 3.2 MB once each has run, more when a window's size changes.
 */
const KERNEL_BYTES = 4 * 1024 * 1024;

interface CachedSource extends BoundSource {
  readonly bytes: number;
  release(): void;
}

/**
 * Creates the sources of the worker that owns `runner`.
 * @param maximumBytes of decoded pictures, and as much again of bound cuts
 */
export function createSources(runner: KernelRunner, maximumBytes: number): Sources {
  const pictures = new LRUCache<string, DecodedImage>({
    maxSize: maximumBytes,
    sizeCalculation: (picture) => picture.pixels.byteLength,
  });
  const bound = new LRUCache<string, CachedSource>({
    maxSize: maximumBytes,
    sizeCalculation: (held) => held.bytes,
    dispose: (held) => held.release(),
  });
  let oversized: { readonly key: string; readonly held: CachedSource } | null = null;
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
      const known = oversized?.key === key ? oversized.held : bound.get(key);
      if (known !== undefined) return known;
      // A cut larger than the cache is kept until the next one.
      oversized?.held.release();
      const held = bind(runner, picture, cut);
      bound.set(key, held);
      oversized = bound.has(key) ? null : { key, held };
      return held;
    },
  };
}

function bind(runner: KernelRunner, picture: DecodedImage, cut: Cut): CachedSource {
  const { width, height, channels, values, mean } = resample(
    picture,
    cut,
    cut.outWidth,
    cut.outHeight,
  );
  const constants = {
    source: { values, length: width * channels },
    width,
    height,
    stride: channels,
    // Rec. 709, like the kernel's.
    meanLightness: Math.sqrt(0.2126 * mean[0] + 0.7152 * mean[1] + 0.0722 * mean[2]),
    transfer: srgbBySquareRoot,
    transferTop: SRGB_TABLE_SIZE - 1,
  };
  const colour = runner.bind(orbitKernel, { ...constants, wanted: 0 });
  const other =
    channels === 4
      ? runner.bind(orbitKernel, { ...constants, wanted: 1 })
      : runner.bind(singleSampleKernel, constants);
  return {
    colour: colour.run,
    alpha: channels === 4 ? other.run : null,
    single: channels === 4 ? null : other.run,
    // Each kernel has its own copy.
    bytes: KERNEL_BYTES + 3 * values.byteLength,
    release() {
      colour.release();
      other.release();
    },
  };
}
