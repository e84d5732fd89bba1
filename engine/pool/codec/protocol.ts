/** Messages to and from codec processes; pixels and files are in a shared file. */

import type { EncodingOptions, RasterSize, WholeFormat } from "../../encoders/whole-image.ts";
import type { PlainError } from "../../errors.ts";
import type { ByteImage, SourceFacts } from "../../image/picture.ts";

/** A request to a codec process; its input is at the start of the shared file. */
export type CodecRequest =
  /** With the SHA-256 of a source, as its inspection may have left its picture; null for other files. */
  | { readonly kind: "decode"; readonly sha256: string | null }
  | { readonly kind: "inspect" }
  /** The bytes of each picture, one after the other; null for a missing one. */
  | { readonly kind: "contact_sheet"; readonly lengths: readonly (number | null)[] }
  | {
      readonly kind: "encode";
      readonly size: RasterSize;
      readonly format: WholeFormat;
      readonly options: EncodingOptions;
    };

/** Results, without the output in the shared file. */
export interface CodecResults {
  readonly decode: Omit<ByteImage, "pixels">;
  /** The output is the part of the file that the picture needs; empty if it needs all of it. */
  readonly inspect: SourceFacts;
  readonly contact_sheet: null;
  readonly encode: null;
}

export type CodecResult = CodecResults[CodecRequest["kind"]];

/**
 * Reply of a codec process; `output` counts the bytes of the output, whose first piece is at the start of the shared file.
 * Each further piece is there once it has been asked for, see `pieceStart`.
 */
export type CodecReply =
  | { readonly ok: true; readonly result: CodecResult; readonly output: number }
  | { readonly ok: false; readonly error: PlainError };

/**
 * Bytes of a piece of an output: whole pixels of three or four bytes. The pages of the shared file are used for all pieces:
 * the first use of a page is slow on virtual machines whose hosts provide it only then.
 */
export const PIECE_BYTES = 3 * 2 ** 20;

/** Returns where piece number `piece` is in the shared file: beside the one before, which is read meanwhile. */
export const pieceStart = (piece: number) => PIECE_BYTES * (piece % 2);

/** Message of the parent process: a request and the number of bytes of its input, or "next" for the next piece. */
export type CodecMessage = { readonly request: CodecRequest; readonly input: number } | "next";

/** Request to the spawner; `id` identifies a codec process. */
export type SpawnerRequest = { readonly id: number } & (
  | {
      readonly kind: "start";
      /** The shared file, which the spawner unlinks. */
      readonly path: string;
      readonly memoryBytes: number;
    }
  | { readonly kind: "send"; readonly message: CodecMessage }
  | { readonly kind: "kill" }
);

export type SpawnerEvent = { readonly id: number } & (
  | { readonly kind: "reply"; readonly reply: CodecReply }
  /** Both are null if the process could not be started. */
  | {
      readonly kind: "exit";
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
    }
);

/** The descriptor of the shared file in a codec process. */
export const SHARED_FILE = 3;
