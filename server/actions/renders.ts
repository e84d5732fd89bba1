import type { Pattern } from "../../db/index.ts";
import {
  canonicalRender,
  checkRender,
  type Design,
  formatFacts,
  type RenderFields,
  type SourceBytes,
  sizeOf,
  type Timings,
} from "../../engine/index.ts";
import { type Picture as CachedPicture, UnreadableEntry } from "../render-cache/index.ts";
import { ownerOf } from "./accounts.ts";
import { contentHash } from "./content-hash.ts";
import type { CachedPattern, StoredPattern } from "./pattern-cache.ts";
import { designOf } from "./pattern-fields.ts";
import { getPattern, getPatternSource } from "./patterns.ts";
import type { Services } from "./services.ts";
import { readSourceImage } from "./sources.ts";
import { timeLimit } from "./time-limit.ts";

export type Picture = CachedPicture<Timings>;
export { checkRender, formatFacts, LIMITS, RenderFields, sizeOf } from "../../engine/index.ts";

/**
 * Pictures of up to so many pixels are given in one piece. Those in lossy formats always are:
 * they are made in one, and small.
 */
const WHOLE_PIXELS = 4096 * 4096;

/** A picture that can be made: what it will be is settled, nothing has been computed. */
export interface RenderPlan {
  /** What the picture is named after. */
  readonly pattern: Pick<Pattern, "id" | "name" | "group">;
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
 * @param version the pattern's, where it was looked up; see `PatternCache`
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
  return planNamed(services, shelved, fields, (design) =>
    nameOf(shelved, design, fields, services.engine.version),
  );
}

/** Settles what a render of this very version of a pattern will be. Throws InvalidRecipe. */
export function planStored(
  services: RenderServices,
  stored: StoredPattern,
  fields: RenderFields,
): RenderPlan {
  checkRender(fields);
  return planNamed(services, stored, fields, (design) =>
    pictureName(services.engine.version, stored.source.sha256, design, fields),
  );
}

function planNamed(
  services: RenderServices,
  { pattern, source }: StoredPattern,
  fields: RenderFields,
  nameFor: (design: Design) => string,
): RenderPlan {
  const design = designOf(pattern);
  return planPicture(services, pattern.account_id, {
    pattern,
    design,
    fields,
    name: nameFor(design),
    readSource: async () => {
      const bytes = await readSourceImage(services, source);
      return { sha256: source.sha256, bytes };
    },
  });
}

/** Everything that a picture is made of. */
export interface PictureRecipe extends Pick<RenderPlan, "pattern" | "fields"> {
  readonly design: Design;
  /** As `pictureName` returns it. */
  readonly name: string;
  /** The source's bytes; what it throws, the plan's `picture` throws. */
  readSource(): Promise<SourceBytes>;
}

/** Plans a picture of a recipe that was checked. */
export function planPicture(
  services: Pick<RenderServices, "engine" | "renders" | "renderTimeoutMs">,
  accountId: number,
  { pattern, design, fields, name, readSource }: PictureRecipe,
): RenderPlan {
  const { width, height } = sizeOf(fields);
  const owner = ownerOf(accountId);
  const make = async (signal: AbortSignal, arrive: (() => void) | null) => {
    const source = await readSource();
    signal.throwIfAborted();
    arrive?.();
    const rendering = await services.engine.render(
      { design, source, render: fields },
      signal,
      owner,
    );
    return { ...rendering, body: await startStream(rendering.body) };
  };

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

/**
 * 64 hex digits that stand for all that makes the picture's bytes what they are.
 * @param engine the engine's version
 * @param source the source's SHA-256
 */
export function pictureName(
  engine: string,
  source: string,
  design: Design,
  fields: RenderFields,
): string {
  return contentHash([engine, source, canonicalRender(design, fields)]).toString("hex");
}

/** The name of a pattern's picture, computed once for each version of the pattern. */
function nameOf(
  { source, names }: CachedPattern,
  design: Design,
  fields: RenderFields,
  engine: string,
): string {
  const asked = JSON.stringify(fields);
  const known = names.get(asked);
  if (known !== undefined) return known;
  const name = pictureName(engine, source.sha256, design, fields);
  names.set(asked, name);
  return name;
}

/**
 * Resolves with the same pieces once the first of them is there. Rejects with what producing it
 * rejects with.
 */
export async function startStream<Piece>(
  pieces: AsyncIterable<Piece>,
): Promise<AsyncIterable<Piece>> {
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

/**
 * Does what gives out a kept picture; once more where that could not be read, since it is kept no
 * longer then and made anew.
 */
export async function retryUnreadable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnreadableEntry)) throw error;
    return await work();
  }
}
