/** The engine's public interface. */

import type { BackendChoice } from "./backend.ts";
import type { Certificate } from "./certificate/certificate.ts";
import type { Subject } from "./certificate/certify-subject.ts";
import type { Patch } from "./encoders/encoder.ts";
import type { InspectedSource } from "./image/picture.ts";
import type { Backend } from "./kernel-runner.ts";
import type { Progress } from "./pool/queue.ts";
import type { Colours, MockupRequest, PrintRequest, RenderRequest } from "./recipe/index.ts";
import type { PictureHeader } from "./render/picture.ts";
import type { StepTimings } from "./render/stopwatch.ts";

/** Milliseconds of each step of a render, summed over its threads. */
export interface Timings extends StepTimings {
  readonly queue: number;
}

/** A picture that is rendered and encoded. */
export interface RenderedPicture extends PictureHeader {
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes in hex. */
  readonly sha256: string;
  readonly timings: Timings;
}

/** A picture that is sent while it is rendered. */
export interface Rendering extends PictureHeader {
  /** The encoded picture in order. Reading slowly slows the render down; leaving ends it. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Settles when the last byte has been read. */
  readonly timings: Promise<Timings>;
}

/** A file for print. Its size in pixels is that of the picture in it: a PDF may repeat one period. */
export interface Printing extends Rendering {
  /** Share of the picture's rows that are made, 0…1. */
  progress(): number;
  /** Settles with the last byte: what the file needs then, or null. */
  readonly patch: Promise<Patch | null>;
}

/** Bounds of a codec process: one that reaches them is killed. */
export interface CodecLimits {
  /** Milliseconds that decoding a source may take. */
  readonly decodeMs: number;
  /** Milliseconds that encoding a picture may take. */
  readonly encodeMs: number;
  /** Bytes of a process's own memory; enforced on Linux. */
  readonly memoryBytes: number;
}

export interface EngineOptions {
  readonly backend: BackendChoice;
  /** Worker threads. */
  readonly threads: number;
  /** Jobs that may wait for a thread; one more is refused with `Overloaded`. */
  readonly queueMax: number;
  /** Milliseconds after which a thread that goes on with a cancelled job is terminated. */
  readonly hungMs?: number;
  /** Milliseconds that a job may take, beside what its size adds. */
  readonly jobMs?: number;
  readonly codec?: Partial<CodecLimits>;
  /** Folder where the maps of mockups are kept; left out: a temporary one. */
  readonly mockupMaps?: string;
}

/**
 * Jobs wait in a bounded queue, in which owners take turns by the work they ask for and the time that
 * it takes; those who name no owner are one. Every job has a deadline: past it, it rejects with
 * `DeadlineExceeded`.
 */
export interface Engine {
  readonly backend: Backend;
  /** How the GPU calls itself; empty where there is none. */
  readonly device: string;
  readonly threads: number;
  /** Changes whenever the same request would give other bytes. */
  readonly version: string;
  /** How many jobs run and wait, and whether they go on. */
  progress(): Progress;
  /** Resolves once a thread has done a job of no consequence. Rejects as jobs do. */
  probe(): Promise<void>;
  /**
   * Says that a job will be asked for, before any work is done for it. Throws `Overloaded` where the
   * queue would refuse it. Gives what is to be called as soon as it is asked for, or will not be.
   */
  announce(owner?: string): () => void;
  /**
   * Renders a picture. Throws `InvalidRecipe`, `SourceUnreadable`, `Overloaded`, and whatever `signal`
   * aborts with.
   */
  render(request: RenderRequest, signal?: AbortSignal, owner?: string): Promise<RenderedPicture>;
  /**
   * Starts a render. Resolves when its head is known; the picture then comes through `body`. Throws as
   * `render` does.
   */
  renderStream(request: RenderRequest, signal?: AbortSignal, owner?: string): Promise<Rendering>;
  /**
   * Starts a file for print, like `renderStream`. Throws `InvalidRecipe`, `SourceUnreadable`,
   * `SourceTooLarge`, `Overloaded`, and whatever `signal` aborts with.
   */
  print(request: PrintRequest, signal?: AbortSignal, owner?: string): Promise<Printing>;
  /**
   * Draws a preset as a PNG of `size` × `size` pixels, in a palette or, without one, in the seed's
   * own. Throws `InvalidRecipe` for an unknown name, `Overloaded`, and whatever `signal` aborts with.
   */
  drawPreset(
    name: string,
    seed: number,
    size: number,
    palette?: Colours | null,
    signal?: AbortSignal,
    owner?: string,
  ): Promise<Uint8Array>;
  /**
   * Reads a picture's kind and size, decodes it once and hashes it, all in another process. Sizes are
   * checked before any pixel is decoded. Throws `SourceUnreadable`, `SourceTooLarge`, `Overloaded`,
   * and whatever `signal` aborts with.
   */
  inspect(bytes: Uint8Array, signal?: AbortSignal, owner?: string): Promise<InspectedSource>;
  /**
   * Certifies the symmetry of a design's tile, or that which is claimed of a picture. Throws
   * `SourceUnreadable`, `SourceTooLarge`, `Overloaded`, and whatever `signal` aborts with.
   */
  certify(subject: Subject, signal?: AbortSignal, owner?: string): Promise<Certificate>;
  /**
   * Draws a design on a product: a JPEG of `MOCKUP_SIZE` × `MOCKUP_SIZE` pixels, the same bytes for
   * the same request. Throws `InvalidRecipe`, `SourceUnreadable`, `SourceTooLarge`, `Overloaded`,
   * and whatever `signal` aborts with.
   */
  drawMockup(request: MockupRequest, signal?: AbortSignal, owner?: string): Promise<Uint8Array>;
  /** Refuses new renders and ends the threads once the running ones are done, or after `graceMs`. */
  close(graceMs: number): Promise<void>;
}
