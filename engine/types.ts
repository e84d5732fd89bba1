/** The engine's door as types: what the server may ask for and what it gets. */
import type { Backend, BackendChoice } from "./backend.ts";
import type { Certificate } from "./certificate/certificate.ts";
import type { Progress } from "./pool/queue.ts";
import type {
  Colours,
  Design,
  GroupName,
  PrintFields,
  RenderFields,
  ValidateFields,
} from "./recipe/index.ts";

/** The bytes of a source as they were uploaded (PNG, JPEG, …), named by their SHA-256 in hex. */
export interface SourceBytes {
  readonly sha256: string;
  /** Each job carries a copy of them into its thread unless they lie in memory that threads share. */
  readonly bytes: Uint8Array;
}

/** What a source turned out to be. `mediaType` is sniffed, never taken from the sender. */
export interface SourceFacts {
  readonly mediaType: string;
  /** Pixels, after the EXIF orientation has been applied. */
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  /** SHA-256 in hex of the bytes that are kept. */
  readonly sha256: string;
}

/** A source that was looked at. */
export interface InspectedSource extends SourceFacts {
  /** The part of the file that the picture needs: mostly all of it, and then the very object that was given. */
  readonly bytes: Uint8Array;
}

/** Milliseconds spent in each step of a render, by all threads that made it together. */
export interface Timings {
  readonly queue: number;
  readonly sample: number;
  readonly effects: number;
  readonly encode: number;
}

export interface Rendering {
  readonly mediaType: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** How far a square tile squeezes the pattern, as a ratio (0.0104 = 1.04 %); 0 for most. */
  readonly strain: number;
  readonly backend: Backend;
  /** The encoded picture in order. Reading slowly slows the render down; leaving ends it. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Settles when the last byte has been read. */
  readonly timings: Promise<Timings>;
}

export interface RenderRequest {
  readonly design: Design;
  readonly source: SourceBytes;
  readonly render: RenderFields;
}

/** A design as a file for print. */
export interface PrintRequest {
  readonly design: Design;
  readonly source: SourceBytes;
  readonly print: PrintFields;
}

/** Bytes that have to be laid over a file once it is there. */
export interface Patch {
  /** Bytes from the file's start. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** A file for print. Its size in pixels is that of the picture in it: a PDF may repeat one period. */
export interface Printing extends Rendering {
  /** Share of the picture's rows that are made, 0…1. */
  progress(): number;
  /** Settles with the last byte: what the file needs then, or null. */
  readonly patch: Promise<Patch | null>;
}

/** A design on a product. */
export interface MockupRequest {
  readonly design: Design;
  readonly source: SourceBytes;
  /** The product's `id`. */
  readonly product: string;
  /** Edge of the pattern's cell in millimetres; left out, what suits the product. */
  readonly cell_mm?: number;
}

/** What a certificate is asked for: a design's tile, or a picture of which a group is claimed. */
export type Subject =
  | {
      readonly kind: "design";
      readonly design: Design;
      readonly source: SourceBytes;
      readonly fields: ValidateFields;
    }
  | {
      readonly kind: "picture";
      readonly bytes: Uint8Array;
      readonly group: GroupName;
    };

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
   * Starts a render. Resolves when its head is known; the picture then comes through `body`.
   * Throws `InvalidRecipe`, `SourceUnreadable`, `Overloaded`, and whatever `signal` aborts with.
   */
  render(request: RenderRequest, signal?: AbortSignal, owner?: string): Promise<Rendering>;
  /**
   * Starts a file for print, like a render. Throws `InvalidRecipe`, `SourceUnreadable`,
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
