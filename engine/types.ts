/** The engine's public interface. */

import type { BackendChoice } from "./backend.ts";
import type { Certificate } from "./certificate/certificate.ts";
import type { Subject } from "./certificate/certify-subject.ts";
import type { Patch } from "./encoders/encoder.ts";
import type { InspectedSource } from "./image/picture.ts";
import type { Backend } from "./kernel-runner.ts";
import type { Progress } from "./pool/queue.ts";
import type {
  ColourRequest,
  Colours,
  IdeaRequest,
  Ink,
  InkRequest,
  LevelRequest,
  MockupRequest,
  PrintRequest,
  RenderRequest,
  SeparationRequest,
  SourceBytes,
  VectorRequest,
} from "./recipe/index.ts";
import type { Idea } from "./render/ideas.ts";
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
  /** The encoded picture in order. Applies backpressure to the render; an early return cancels it. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Settles when the last byte has been read. */
  readonly timings: Promise<Timings>;
}

/** A print file. Its size in pixels is that of its image: a PDF may repeat one period. */
export interface Printing extends Rendering {
  /** Returns the share of finished rows, 0…1. */
  progress(): number;
  /** Resolves with the last byte: bytes to overwrite in the finished file, or null. */
  readonly patch: Promise<Patch | null>;
}

/** Limits of a codec process; one that exceeds them is killed. */
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
  /** Worker threads; all but the first start when there are jobs for them. */
  readonly threads: number;
  /** Jobs that may wait for a thread; one more is refused with `Overloaded`. */
  readonly queueMax: number;
  /** Milliseconds after which a thread that still runs a cancelled job is terminated. */
  readonly hungMs?: number;
  /** Milliseconds that a job may take, in addition to those that its size allows. */
  readonly jobMs?: number;
  readonly codec?: Partial<CodecLimits>;
  /** Folder of the mockup maps; a temporary one by default. */
  readonly mockupMaps?: string;
}

/**
 * Jobs wait in a bounded queue that is fair to owners by the cost of their jobs; callers without an owner
 * share one. A job that misses its deadline rejects with `DeadlineExceeded`, and one whose codec processes the system kills
 * again and again with `CodecKilled`.
 */
export interface Engine {
  readonly backend: Backend;
  /** Name of the GPU, or empty. */
  readonly device: string;
  readonly threads: number;
  /** Changes whenever a request would return different bytes. */
  readonly version: string;
  /** Returns the numbers of running and waiting jobs, and whether they make progress. */
  progress(): Progress;
  /** Returns how many threads were lost with their job, and replaced, since the start. */
  lostThreads(): number;
  /** Resolves once a thread has run an empty job. Rejects as jobs do. */
  probe(): Promise<void>;
  /**
   * Reserves a slot in the queue for a job that follows. Returns a function that releases the
   * reservation, to be called once the job is submitted or abandoned. Throws `Overloaded` if the queue is
   * full.
   */
  reserveSlot(owner?: string): () => void;
  /**
   * Renders a picture. Throws `InvalidRecipe` where its format cannot hold it in the memory there is,
   * `SourceUnreadable`, `Overloaded`, and whatever `signal` aborts with.
   */
  render(request: RenderRequest, signal?: AbortSignal, owner?: string): Promise<RenderedPicture>;
  /**
   * Starts a render. Resolves when its first bytes are there; the picture comes through `body`. Until
   * then it is started again, once, if its thread is lost. Throws as `render` does.
   */
  renderStream(request: RenderRequest, signal?: AbortSignal, owner?: string): Promise<Rendering>;
  /**
   * Starts a print file, like `renderStream`. Throws `InvalidRecipe`, `SourceUnreadable`,
   * `SourceTooLarge`, `Overloaded`, and whatever `signal` aborts with.
   */
  print(request: PrintRequest, signal?: AbortSignal, owner?: string): Promise<Printing>;
  /**
   * Draws a preset as a PNG of `size` × `size` pixels, in a palette or, by default, in the seed's own.
   * Throws `InvalidRecipe` for an unknown name, `Overloaded`, and whatever `signal` aborts with.
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
   * Reads a source's media type and size, decodes it once and hashes it, in another process. Checks the
   * size before decoding. Throws `SourceUnreadable`, `SourceTooLarge`, `Overloaded`,
   * and whatever `signal` aborts with.
   */
  inspect(bytes: Uint8Array, signal?: AbortSignal, owner?: string): Promise<InspectedSource>;
  /**
   * Prepares a source in the background, so that its first renders do not have to, as long as no jobs wait.
   * Does nothing if a few other sources are to be prepared.
   */
  prepare(source: SourceBytes, owner?: string): void;
  /**
   * Returns a level of a source as a PNG of 8 bits a channel, RGB or RGBA: what renders sample, without
   * loss. Throws `SourceUnreadable`, `SourceTooLarge`, `Overloaded`, and whatever `signal` aborts with.
   */
  encodeLevel(request: LevelRequest, signal?: AbortSignal, owner?: string): Promise<Uint8Array>;
  /**
   * Returns at most `count` main colours of a source as `#rrggbb`, the darkest first. Throws as
   * `encodeLevel` does.
   */
  sourceColours(
    request: ColourRequest,
    signal?: AbortSignal,
    owner?: string,
  ): Promise<readonly string[]>;
  /**
   * Returns the best ideas for a source under some groups, the best first: the same for the same request.
   * Throws as `encodeLevel` does.
   */
  ideas(request: IdeaRequest, signal?: AbortSignal, owner?: string): Promise<readonly Idea[]>;
  /**
   * Returns the colours of a design's tile, the one with the largest share first; null if there are more
   * than 16. Throws as `encodeLevel` does.
   */
  inks(request: InkRequest, signal?: AbortSignal, owner?: string): Promise<readonly Ink[] | null>;
  /**
   * Returns a greyscale PNG of a design's tile, black where it has a colour and white elsewhere; null if it has
   * it nowhere. Throws as `encodeLevel` does.
   */
  separate(
    request: SeparationRequest,
    signal?: AbortSignal,
    owner?: string,
  ): Promise<Uint8Array | null>;
  /**
   * Returns a design's repeat as a file of curves; null if it has more than 16 colours. Throws `InvalidRecipe` if it
   * has too many curves, and as `encodeLevel` does.
   */
  drawVector(
    request: VectorRequest,
    signal?: AbortSignal,
    owner?: string,
  ): Promise<Uint8Array | null>;
  /**
   * Certifies the symmetry of a design's tile, or the symmetry claimed for a picture. Throws
   * `SourceUnreadable`, `SourceTooLarge`, `Overloaded`, and whatever `signal` aborts with.
   */
  certify(subject: Subject, signal?: AbortSignal, owner?: string): Promise<Certificate>;
  /**
   * Draws a design on a product as a JPEG of `MOCKUP_SIZE` × `MOCKUP_SIZE` pixels. The same request
   * returns the same bytes. Throws `InvalidRecipe`, `SourceUnreadable`, `SourceTooLarge`, `Overloaded`,
   * and whatever `signal` aborts with.
   */
  drawMockup(request: MockupRequest, signal?: AbortSignal, owner?: string): Promise<Uint8Array>;
  /**
   * Returns the map of a product for screens, of `side` × `side` pixels, see `engine/mockups/packed-map.ts`. Throws
   * `Overloaded`, and whatever `signal` aborts with.
   */
  packedMap(
    product: string,
    side: number,
    signal?: AbortSignal,
    owner?: string,
  ): Promise<Uint8Array>;
  /**
   * Arranges small pictures in a grid, see `engine/encoders/contact-sheet.ts`, as a JPEG; null stands for a missing
   * one. Throws `Overloaded`, and whatever `signal` aborts with.
   */
  drawContactSheet(
    pictures: readonly (Uint8Array | null)[],
    signal?: AbortSignal,
    owner?: string,
  ): Promise<Uint8Array>;
  /** Rejects new jobs and ends the threads once running jobs are done, or after `graceMs`. */
  close(graceMs: number): Promise<void>;
}
