import type { Pattern } from "../../db/index.ts";
import {
  canonicalRender,
  checkRender,
  formatFacts,
  type RenderFields,
  sizeOf,
  type Timings,
} from "../../engine/index.ts";
import type { Picture as CachedPicture } from "../render-cache/index.ts";
import { ownerOf } from "./accounts.ts";
import { contentHash } from "./content-hash.ts";
import { getPattern } from "./get-pattern.ts";
import { getPatternSource } from "./get-pattern-source.ts";
import type { ShelvedPattern } from "./pattern-shelf.ts";
import { readSourceImage } from "./read-source-image.ts";
import { designOf } from "./resources/pattern.ts";
import type { Services } from "./services.ts";
import { timeLimit } from "./time-limit.ts";

export type Picture = CachedPicture<Timings>;
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
  /** The picture, if it was made before and is kept. */
  kept(): Promise<Picture | null>;
  /**
   * The picture, made now unless it is kept or being made for somebody else. All of a small one, or
   * the first bytes of a large one, come within the time that a render may take, or RenderTimeout is
   * thrown. Throws SourceUnreadable, Overloaded, and what `signal` aborts with.
   */
  picture(signal: AbortSignal): Promise<Picture>;
}

/** What rendering takes of the services. */
export type RenderServices = Pick<
  Services,
  "db" | "engine" | "patterns" | "sources" | "renders" | "renderTimeoutMs"
>;

/**
 * Settles what a render of the account's pattern will be. Throws InvalidRecipe, NotFound.
 * @param version the pattern's, where it was looked up; see `PatternShelf`
 */
export async function planRender(
  services: RenderServices,
  accountId: number,
  id: number,
  fields: RenderFields,
  version: number | null = null,
): Promise<RenderPlan> {
  checkRender(fields);
  const shelved = await services.patterns.take(accountId, id, version, async () => {
    const pattern = await getPattern(services, accountId, id);
    return { pattern, source: await getPatternSource(services, pattern) };
  });
  const { pattern, source } = shelved;
  const { width, height } = sizeOf(fields);

  const owner = ownerOf(accountId);
  const make = async (signal: AbortSignal, arrive: (() => void) | null) => {
    const bytes = await readSourceImage(services, source);
    signal.throwIfAborted();
    const { sha256 } = source;
    const request = { design: designOf(pattern), source: { sha256, bytes }, render: fields };
    arrive?.();
    const rendering = await services.engine.render(request, signal, owner);
    return { ...rendering, body: await begun(rendering.body) };
  };

  const name = nameOf(shelved, fields, services.engine.version);
  const isWhole = width * height <= WHOLE_PIXELS || formatFacts[fields.format].lossy;
  return {
    pattern,
    fields,
    fingerprint: Buffer.from(name, "hex").toString("base64url"),
    timeoutMs: services.renderTimeoutMs,
    isWhole,
    kept: () => services.renders.find(name),
    async picture(caller) {
      const held = services.renders.held(name);
      if (held) return held;
      // Who is to be refused is told so before anything is read.
      const arrive = services.renders.has(name) ? null : services.engine.announce(owner);
      const { signal: wait, lift } = timeLimit(services.renderTimeoutMs, caller);
      try {
        return await services.renders.picture(name, (signal) => make(signal, arrive), {
          isWhole,
          signal: caller,
          wait,
        });
      } finally {
        arrive?.();
        lift();
      }
    },
  };
}

/** 64 hex digits that stand for all that makes the picture's bytes what they are. */
function nameOf({ pattern, source, names }: ShelvedPattern, fields: RenderFields, engine: string) {
  const asked = JSON.stringify(fields);
  const known = names.get(asked);
  if (known !== undefined) return known;
  const recipe = [engine, source.sha256, canonicalRender(designOf(pattern), fields)];
  const name = contentHash(recipe).toString("hex");
  names.set(asked, name);
  return name;
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
