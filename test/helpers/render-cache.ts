/** A render cache for tests, and pictures to fill it with. */
import { hash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Test } from "tap";
import {
  openRenderCache,
  type Picture,
  type RenderCacheOptions,
  type RenderedPicture,
  type StreamedPicture,
} from "../../server/render-cache/index.ts";
import { temporaryFolder } from "./database.ts";
import { until } from "./jobs.ts";

export const MIB = 1024 * 1024;
export const nameOf = (number: number) => number.toString(16).padStart(64, "0");

export async function openCache(t: Test, options: Partial<RenderCacheOptions> = {}) {
  const folder = options.folder ?? (await temporaryFolder(t));
  const failures: unknown[] = [];
  const cache = await openRenderCache<string>({
    maximumBytes: 64 * MIB,
    memoryBytes: MIB,
    onError: (error) => failures.push(error),
    ...options,
    folder,
  });
  t.teardown(() => cache.close());
  return { cache, folder, failures };
}

/** Pictures made in parts on `go`; counts how many were started and stopped. */
export function fakeRenderer(
  pieces: readonly Uint8Array[],
  go: Promise<unknown> = Promise.resolve(),
) {
  const seen = { made: 0, stopped: 0 };
  const make = async (signal: AbortSignal): Promise<StreamedPicture<string>> => {
    seen.made++;
    const leaving = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(void seen.stopped++), { once: true });
    });
    async function* body() {
      const [first, ...rest] = pieces;
      if (first) yield first;
      await Promise.race([go, leaving]);
      for (const piece of rest) {
        signal.throwIfAborted();
        yield piece;
      }
    }
    return { strain: 0.01, backend: "webasm", body: body(), timings: Promise.resolve("fast") };
  };
  const makeWhole = async (signal: AbortSignal) => collectPicture(await make(signal));
  return { seen, make, makeWhole };
}

/** Reads a picture to its end. */
export async function collectPicture({
  body,
  timings,
  ...about
}: StreamedPicture<string>): Promise<RenderedPicture<string>> {
  const bytes = Buffer.concat(await Array.fromAsync(body));
  return { ...about, bytes, sha256: hash("sha256", bytes), timings: await timings };
}

/** Returns a signal that is never aborted. */
export const neverAborted = () => new AbortController().signal;
export const reading = () => {
  const signal = neverAborted();
  return { signal, wait: signal };
};

export async function bytesOf(picture: Picture<string>, start = 0, end = Number.POSITIVE_INFINITY) {
  return Buffer.concat(await Array.fromAsync(picture.read(start, end)));
}

export async function filesIn(folder: string) {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map((one) => join(one.parentPath, one.name));
}

/** Waits until the folder has that many pictures, and no draft. */
export const untilKept = (folder: string, count: number) =>
  until(async () => {
    const files = await filesIn(folder);
    return files.length === count && files.every((file) => !file.includes("drafts"));
  });
