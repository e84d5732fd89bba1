/** Messages between the main thread and the workers: plain data. */

import type { MessagePort } from "node:worker_threads";
import type { BackendChoice } from "../backend.ts";
import type { Certificate } from "../certificate/certificate.ts";
import type { Subject } from "../certificate/certify-subject.ts";
import type { Strip } from "../encoders/strips.ts";
import type { PlainError } from "../errors.ts";
import type { Backend } from "../kernel-runner.ts";
import type { MockupJob } from "../mockups/draw-mockup.ts";
import type { MapJob } from "../mockups/map-files.ts";
import type {
  ColourRequest,
  Colours,
  IdeaRequest,
  Ink,
  InkRequest,
  LevelRequest,
  PrintRequest,
  RenderRequest,
  SeparationRequest,
  SourceBytes,
  VectorRequest,
} from "../recipe/index.ts";
import type { Finished, HelpTask } from "../render/help.ts";
import type { Idea } from "../render/ideas.ts";
import type { PictureHeader } from "../render/picture.ts";
import type { RenderResult } from "../render/render.ts";
import type { StepTimings } from "../render/stopwatch.ts";
import type { RenderedStrip } from "../render/strip.ts";
import type { RenderedPicture } from "../types.ts";
import type { SharedFile } from "./shared-files.ts";
import type { SharedLevels } from "./source-store.ts";

/** `workerData` of a thread. */
export interface WorkerSetup {
  readonly backend: BackendChoice;
  /** Bytes of cached periods, and half as much again of the kernels that sample sources. */
  readonly cacheBytes: number;
  readonly niceness: number;
  /** The block of prepared sources, see `SourceStore`. */
  readonly block: WebAssembly.Memory | null;
}

export type Job =
  | { readonly kind: "describe" }
  | {
      readonly kind: "preset";
      readonly name: string;
      readonly seed: number;
      readonly size: number;
      readonly palette: Colours | null;
    }
  | { readonly kind: "certify"; readonly subject: Subject }
  /** Prepares the levels of a source for the renders that follow. */
  | {
      readonly kind: "prepare";
      readonly source: SourceBytes;
      /** Whether an earlier job has prepared a part of it. */
      readonly isBegun: boolean;
    }
  | ({ readonly kind: "level" } & LevelRequest)
  | ({ readonly kind: "colours" } & ColourRequest)
  | ({ readonly kind: "ideas" } & IdeaRequest)
  | ({ readonly kind: "inks" } & InkRequest)
  | ({ readonly kind: "separation" } & SeparationRequest)
  | ({ readonly kind: "vector" } & VectorRequest)
  | ({ readonly kind: "mockup" } & MockupJob)
  /** Writes a product's map to a file. */
  | ({ readonly kind: "map" } & MapJob)
  | ({ readonly kind: "strip" } & StripJob)
  /** Works on a task of another thread's job. */
  | { readonly kind: "help"; readonly task: HelpTask }
  | { readonly kind: "render"; readonly request: RenderRequest }
  | ({ readonly kind: "stream" } & StreamJob<RenderRequest>)
  | ({
      readonly kind: "print";
      /** One number in shared memory: the share of the picture's rows that are rendered, 0…1. */
      readonly progress: Float64Array;
    } & StreamJob<PrintRequest>);

/** A strip of a render or of a print. */
export interface StripJob {
  readonly request: RenderRequest | PrintRequest;
  readonly strip: Strip;
}

/** A job whose file is sent while it is rendered. */
export interface StreamJob<Request> {
  readonly request: Request;
  /** Sends the file as `RenderMessage`s and receives `ReaderMessage`s. */
  readonly port: MessagePort;
}

/** Returns the source whose levels a job reads; null if there is none. */
export function sourceOf(job: Job): SourceBytes | null {
  switch (job.kind) {
    case "describe":
    case "preset":
    case "map":
      return null;
    case "certify":
      return job.subject.kind === "design" ? job.subject.source : null;
    case "help":
      return job.task.kind === "sample" ? job.task.source : null;
    case "mockup":
    case "strip":
    case "render":
    case "stream":
    case "print":
      return job.request.source;
    default:
      return job.source;
  }
}

/** A job for a thread. */
export interface Task<J extends Job = Job> {
  readonly job: J;
  /** One number in shared memory; not 0 once the job is cancelled or past its deadline. */
  readonly cancelled: Int32Array;
  /** The other end of `serveJob`. */
  readonly services: MessagePort;
  /** The levels of the job's source, if they were prepared when it began. */
  readonly levels: SharedLevels | null;
  /** Whether there was an idle place when the job began. */
  readonly mayAskForHelp: boolean;
}

/** Results of the jobs. Streams and prints have none: their files are sent through their ports. */
export interface Results {
  readonly describe: { readonly backend: Backend; readonly device: string };
  readonly preset: Uint8Array;
  readonly certify: Certificate;
  /** Whether nothing is left to prepare. */
  readonly prepare: boolean;
  readonly level: Uint8Array;
  readonly colours: readonly string[];
  readonly ideas: readonly Idea[];
  readonly inks: readonly Ink[] | null;
  readonly separation: Uint8Array | null;
  readonly vector: Uint8Array | null;
  readonly mockup: Uint8Array;
  readonly map: null;
  readonly strip: RenderedStrip;
  readonly help: Finished;
  readonly render: WorkerPicture;
  readonly stream: null;
  readonly print: null;
}

/** A rendered picture on its way to the main thread, without the time in the queue. */
export type WorkerPicture = Omit<RenderedPicture, "bytes" | "timings"> & {
  /** In shared memory, unless it is large. */
  readonly file: SharedFile | Uint8Array;
  readonly timings: StepTimings;
};

/** A job's result, or its error as plain data. */
export type Outcome<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: PlainError };

export type RenderMessage =
  | {
      readonly kind: "head";
      readonly head: PictureHeader;
      /** Milliseconds since the epoch. */
      readonly startedAt: number;
    }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | ({ readonly kind: "end" } & RenderResult);

/** Acknowledges bytes that the reader has taken. */
export type ReaderMessage = { readonly taken: number };

/** Maximum of unacknowledged bytes; the worker then waits. */
export const WINDOW_BYTES = 4 * 1024 * 1024;
