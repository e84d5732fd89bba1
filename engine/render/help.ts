/** Work that is divided into pieces, so that another thread can do some of them. */
import type { DeflatedBand } from "../encoders/png/band.ts";
import type { TileFields } from "../geometry/repeating-tile.ts";
import type { Line } from "../geometry/unfold.ts";
import type { SampledImage, Samples } from "../image/samples.ts";
import type { Design, SourceBytes } from "../recipe/index.ts";

/** The pieces of some work. Each is done by the first thread that takes it. */
export interface Pieces {
  readonly count: number;
  /** One number in shared memory: the next piece to take. */
  readonly next: Int32Array;
}

/** Samples the asymmetric unit of a tile: a piece is some of its lines. */
export interface SampleTask {
  readonly kind: "sample";
  readonly design: Design;
  readonly source: SourceBytes;
  readonly fields: TileFields;
  /** In shared memory. */
  readonly into: Samples;
  readonly pieces: Pieces;
}

/** Compresses the bands of a picture in shared memory for a PNG of true colours. */
export interface CompressTask {
  readonly kind: "compress";
  readonly picture: SampledImage;
  readonly pieces: Pieces;
}

export type HelpTask = SampleTask | CompressTask;

/** What is left of a piece that is done. */
export interface PieceResults {
  readonly sample: null;
  readonly compress: DeflatedBand;
}

export type PieceResult = PieceResults[HelpTask["kind"]];

/** Finished pieces by their numbers. */
export type Finished<Result = PieceResult> = ReadonlyMap<number, Result>;

/**
 * Has an idle thread take pieces of a task. Resolves with those that it finished: with none where no thread is idle,
 * or where it was lost.
 */
export type AskForHelp = <T extends HelpTask>(
  task: T,
) => Promise<Finished<PieceResults[T["kind"]]>>;

export const createPieces = (count: number): Pieces => ({
  count,
  next: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
});

/** Does the pieces that no other thread takes. */
export async function takePieces<Result>(
  { count, next }: Pieces,
  work: (piece: number) => Result | Promise<Result>,
): Promise<Map<number, Result>> {
  const finished = new Map<number, Result>();
  for (;;) {
    const piece = Atomics.add(next, 0, 1);
    if (piece >= count) return finished;
    finished.set(piece, await work(piece));
  }
}

/** Does all pieces of a task together with an idle thread. Resolves with their results in order. */
export async function workWithHelp<T extends HelpTask>(
  help: AskForHelp,
  task: T,
  work: (piece: number) => PieceResults[T["kind"]] | Promise<PieceResults[T["kind"]]>,
): Promise<PieceResults[T["kind"]][]> {
  const { pieces } = task;
  const helped = help(task);
  const finished = await takePieces(pieces, work);
  const isAlone = finished.size === pieces.count;
  for (const [piece, result] of isAlone ? [] : await helped) finished.set(piece, result);
  const results: PieceResults[T["kind"]][] = [];
  // The thread may have been lost with a piece.
  for (let piece = 0; piece < pieces.count; piece++) {
    results.push(finished.has(piece) ? (finished.get(piece) as never) : await work(piece));
  }
  return results;
}

/** Lines of a piece, and where their samples begin among those of all lines. */
interface PieceLines {
  readonly lines: readonly Line[];
  readonly first: number;
  readonly count: number;
}

/** Returns the pixels of lines. */
export const pixelsOf = (lines: readonly Line[]) =>
  lines.reduce((sum, { count }) => sum + count, 0);

/** Returns the lines of a piece: all pieces have about as many. */
export function linesOfPiece(lines: readonly Line[], pieces: number, piece: number): PieceLines {
  const start = Math.floor((lines.length * piece) / pieces);
  const end = Math.floor((lines.length * (piece + 1)) / pieces);
  const part = lines.slice(start, end);
  return { lines: part, first: pixelsOf(lines.slice(0, start)), count: pixelsOf(part) };
}
