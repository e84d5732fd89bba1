/** What crosses the thread boundary: plain data both ways. */

import type { MessagePort } from "node:worker_threads";
import type { BackendChoice } from "../backend.ts";
import type { Certificate } from "../certificate/certificate.ts";
import type { Subject } from "../certificate/certify-subject.ts";
import type { PlainError } from "../errors.ts";
import type { Backend } from "../kernel-runner.ts";
import type { MockupJob } from "../mockups/draw-mockup.ts";
import type { Colours, PrintRequest, RenderRequest } from "../recipe/index.ts";
import type { PictureHeader } from "../render/picture.ts";
import type { RenderResult } from "../render/render.ts";
import type { StepTimings } from "../render/stopwatch.ts";
import type { RenderedStrip } from "../render/strip.ts";
import type { Strip } from "../render/strip-plan.ts";
import type { RenderedPicture } from "../types.ts";

/** What a worker is told when it is made. */
export interface WorkerSetup {
  readonly backend: BackendChoice;
  /** Bytes of decoded pictures that the worker keeps, and as much again of cuts of them. */
  readonly cacheBytes: number;
  readonly niceness: number;
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
  | ({ readonly kind: "mockup" } & MockupJob)
  /** Makes the map of a product as a file. */
  | { readonly kind: "map"; readonly product: string; readonly path: string }
  | ({ readonly kind: "strip" } & StripJob)
  | { readonly kind: "render"; readonly request: RenderRequest }
  | ({ readonly kind: "stream" } & Streamed<RenderRequest>)
  | ({
      readonly kind: "print";
      /** One number over shared memory: the share of the picture's rows that are made, 0…1. */
      readonly made: Float64Array;
    } & Streamed<PrintRequest>);

/** A strip of a render. */
export interface StripJob {
  readonly request: RenderRequest;
  readonly strip: Strip;
}

/** What a job needs whose file leaves while it is made. */
export interface Streamed<Request> {
  readonly request: Request;
  /** The file leaves through this port as `RenderMessage`s; `ReaderMessage`s come back. */
  readonly port: MessagePort;
}

/** A job as its thread gets it. */
export interface Task<J extends Job = Job> {
  readonly job: J;
  /** One number over shared memory; not 0 once the job is not wanted any more, or out of time. */
  readonly cancelled: Int32Array;
  /** The other end of `serveCodec`. */
  readonly codec: MessagePort;
}

/** What the jobs return. Streams and prints return nothing: their files leave through their ports. */
export interface Results {
  readonly describe: { readonly backend: Backend; readonly device: string };
  readonly preset: Uint8Array;
  readonly certify: Certificate;
  readonly mockup: Uint8Array;
  readonly map: null;
  readonly strip: RenderedStrip;
  readonly render: WorkerPicture;
  readonly stream: null;
  readonly print: null;
}

/** A rendered picture, without the time that its job waited. */
export type WorkerPicture = Omit<RenderedPicture, "timings"> & {
  readonly timings: StepTimings;
};

/** A job's result, or its failure in a form that survives the boundary. */
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

/** The reader has taken so many bytes. */
export type ReaderMessage = { readonly taken: number };

/** Bytes that may be under way to the reader before the worker waits. */
export const WINDOW_BYTES = 4 * 1024 * 1024;
