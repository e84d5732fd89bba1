/** Work that is divided into items, so that another thread can do some of them. */
import type { DeflatedBand } from "../encoders/png/band.ts";
import type { TileFields } from "../geometry/repeating-tile.ts";
import type { Line } from "../geometry/unfold.ts";
import type { SampledImage, Samples } from "../image/samples.ts";
import type { Design, SourceBytes } from "../recipe/index.ts";
import { pixelsOf } from "./lines.ts";

/** The items of some work, which two threads take. */
export interface WorkItems {
  readonly count: number;
  /** One number in shared memory: how many items have been taken. */
  readonly taken: Int32Array;
}

/** Samples the asymmetric unit of a tile: an item is some of its lines. */
export interface SampleTask {
  readonly kind: "sample";
  readonly design: Design;
  readonly source: SourceBytes;
  readonly fields: TileFields;
  /** In shared memory. */
  readonly into: Samples;
  readonly items: WorkItems;
}

/** Compresses a picture in shared memory for a PNG of true colours: an item is a band. */
export interface CompressTask {
  readonly kind: "compress";
  readonly picture: SampledImage;
  readonly items: WorkItems;
}

export type HelpTask = SampleTask | CompressTask;

/** What an item results in. */
export interface ItemResults {
  readonly sample: null;
  readonly compress: DeflatedBand;
}

export type ItemResult = ItemResults[HelpTask["kind"]];

/** Results of the items that are done, by their numbers. */
export type Finished<Result = ItemResult> = ReadonlyMap<number, Result>;

/**
 * Has an idle thread, and no more than one, take items of a task. Resolves with those that it finished: with none where no thread is idle,
 * or where it was lost.
 */
export type AskForHelp = <T extends HelpTask>(task: T) => Promise<Finished<ItemResults[T["kind"]]>>;

/** Returns the bytes of results, whose memory can go to another thread instead of being copied. */
export const bytesIn = (finished: Finished): Uint8Array[] =>
  [...finished.values()].flatMap((band) => (band === null ? [] : [band.deflated]));

/** Whether other threads can use samples. */
export const isShared = ({ colour }: Samples): boolean =>
  colour.buffer instanceof SharedArrayBuffer;

/** Whether no item is left to take. */
export const isTaken = ({ count, taken }: WorkItems): boolean => Atomics.load(taken, 0) >= count;

export const createItems = (count: number): WorkItems => ({
  count,
  taken: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
});

/**
 * Does the items that the other thread does not take: one thread takes the first that is left, the other the last, so that
 * adjacent items, which read the same parts of a source, go to the same thread.
 */
export async function takeItems<Result>(
  { count, taken }: WorkItems,
  side: "first" | "last",
  work: (item: number) => Result | Promise<Result>,
): Promise<Map<number, Result>> {
  const finished = new Map<number, Result>();
  while (Atomics.add(taken, 0, 1) < count) {
    const item = side === "first" ? finished.size : count - 1 - finished.size;
    finished.set(item, await work(item));
  }
  return finished;
}

/** Does all items of a task together with an idle thread. Resolves with their results in order. */
export async function workWithHelp<T extends HelpTask>(
  help: AskForHelp,
  task: T,
  work: (item: number) => ItemResults[T["kind"]] | Promise<ItemResults[T["kind"]]>,
): Promise<ItemResults[T["kind"]][]> {
  const { items } = task;
  const helped = help(task);
  // Read below, unless this thread does everything, or fails.
  helped.catch(() => undefined);
  const finished = await takeItems(items, "first", work);
  const isAlone = finished.size === items.count;
  for (const [item, result] of isAlone ? [] : await helped) finished.set(item, result);
  const results: ItemResults[T["kind"]][] = [];
  for (let item = 0; item < items.count; item++) {
    const result = finished.get(item);
    // Missing where the other thread was lost with it.
    results.push(result === undefined ? await work(item) : result);
  }
  return results;
}

/** Lines of an item, and where their samples are among those of all lines. */
interface ItemLines {
  readonly lines: readonly Line[];
  readonly first: number;
  readonly count: number;
}

/** Returns the lines of an item: all items have about as many. */
export function linesOfItem(lines: readonly Line[], items: number, item: number): ItemLines {
  const start = Math.floor((lines.length * item) / items);
  const end = Math.floor((lines.length * (item + 1)) / items);
  const part = lines.slice(start, end);
  return { lines: part, first: pixelsOf(lines.slice(0, start)), count: pixelsOf(part) };
}
