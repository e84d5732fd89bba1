import type { Pattern } from "../../db/index.ts";
import {
  canonicalRender,
  checkRender,
  formatFacts,
  type RenderFields,
  type Rendering,
  sizeOf,
  type Timings,
} from "../../engine/index.ts";
import { contentHash } from "./content-hash.ts";
import { getPattern } from "./get-pattern.ts";
import { readSourceImage } from "./read-source-image.ts";
import { designOf } from "./resources/pattern.ts";
import type { Services } from "./services.ts";
import { timeLimit } from "./time-limit.ts";

export { formatFacts, LIMITS, RenderFields, sizeOf } from "../../engine/index.ts";

/**
 * Pictures of up to so many pixels are given in one piece. Those in lossy formats always are:
 * they are made in one, and small.
 */
const WHOLE_PIXELS = 4096 * 4096;

/** A picture that can be made: what it will be is settled, nothing has been computed. */
export interface RenderPlan {
  readonly pattern: Pattern;
  readonly fields: RenderFields;
  /** A word that is another one whenever the picture's bytes are others. */
  readonly fingerprint: string;
  /** How long the render may take, and a reader of a large one between its parts. */
  readonly timeoutMs: number;
  /** Whether the picture is small enough to be held in memory. */
  readonly isWhole: boolean;
  /**
   * Starts the render of a large picture; its first bytes come within the time that a render may
   * take, or RenderTimeout is thrown. Throws SourceUnreadable, Overloaded, and what `signal` aborts
   * with.
   */
  start(signal: AbortSignal): Promise<Rendering>;
  /** Renders a small picture within that time. Throws as `start` does. */
  whole(signal: AbortSignal): Promise<WholeRender>;
}

/** A picture in one piece. */
export interface WholeRender extends Pick<Rendering, "backend" | "strain"> {
  readonly bytes: Uint8Array;
  readonly timings: Timings;
}

/** Settles what a render of the account's pattern will be. Throws InvalidRecipe, NotFound. */
export async function planRender(
  services: Services,
  accountId: number,
  id: number,
  fields: RenderFields,
): Promise<RenderPlan> {
  checkRender(fields);
  const pattern = await getPattern(services, accountId, id);
  const source = await services.db.sources.get(accountId, pattern.source_id);
  if (!source)
    throw new Error(`pattern ${id} stands on source ${pattern.source_id}, which is gone`);
  const { sha256 } = source;
  const design = designOf(pattern);
  const recipe = [services.engine.version, sha256, canonicalRender(design, fields)];
  const { width, height } = sizeOf(fields);

  const render = async (signal: AbortSignal) => {
    const bytes = await readSourceImage(services, source);
    signal.throwIfAborted();
    return services.engine.render({ design, source: { sha256, bytes }, render: fields }, signal);
  };

  return {
    pattern,
    fields,
    fingerprint: contentHash(recipe).toString("base64url"),
    timeoutMs: services.renderTimeoutMs,
    isWhole: width * height <= WHOLE_PIXELS || formatFacts[fields.format].lossy,
    async start(caller) {
      const { signal, lift } = timeLimit(services.renderTimeoutMs, caller);
      try {
        const rendering = await render(signal);
        return { ...rendering, body: await begun(rendering.body) };
      } finally {
        lift();
      }
    },
    async whole(caller) {
      const { signal, lift } = timeLimit(services.renderTimeoutMs, caller);
      try {
        const { backend, strain, body, timings } = await render(signal);
        const bytes = Buffer.concat(await Array.fromAsync(body));
        return { backend, strain, bytes, timings: await timings };
      } finally {
        lift();
      }
    },
  };
}

/** The same pieces, once the first of them is there. */
async function begun<Piece>(pieces: AsyncIterable<Piece>): Promise<AsyncIterable<Piece>> {
  const iterator = pieces[Symbol.asyncIterator]();
  let first: IteratorResult<Piece> | null = await iterator.next();
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const piece = first ?? (await iterator.next());
        first = null;
        return piece;
      },
      return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
    }),
  };
}
