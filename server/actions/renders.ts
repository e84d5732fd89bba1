import type { Pattern } from "../../db/index.ts";
import {
  type Checked,
  canonicalRender,
  checkRender,
  type Design,
  formatFacts,
  measuresOf,
  type RenderFields,
  sizeOf,
  type Timings,
} from "../../engine/index.ts";
import { type Picture as CachedPicture, UnreadableEntry } from "../render-cache/index.ts";
import { ownerOf } from "./accounts.ts";
import { contentHash } from "./content-hash.ts";
import type { FailureCode } from "./failures.ts";
import { measure } from "./measurements.ts";
import type { RenderPlan } from "./pattern-cache.ts";
import { getStoredPattern } from "./patterns.ts";
import type { Services } from "./services.ts";
import { readSourceImage } from "./sources.ts";

export type Picture = CachedPicture<Timings>;
export {
  type Checked,
  checkRender,
  type Design,
  formatFacts,
  LIMITS,
  losesDetail,
  Measures,
  measuresOf,
  PrintFrieze,
  RenderFields,
  type ScaledRender,
  scaledRender,
  sizeOf,
} from "../../engine/index.ts";
export type { RenderPlan } from "./pattern-cache.ts";

/** Pixels of the largest picture without loss that is kept in memory until it is sent. */
const WHOLE_PIXELS = 4096 * 4096;

/** Pixels of the smallest picture that nodes share: ADR 56 has the measurements. */
const SHARED_PIXELS = 2 ** 19;

/** What rendering takes of the services. */
export type RenderServices = Pick<
  Services,
  "db" | "engine" | "patterns" | "sources" | "renders" | "renderTimeoutMs"
>;

/**
 * Plans a render of the account's pattern. Throws InvalidRecipe, NotFound.
 * @param version the pattern's, where it was looked up; see `PatternCache`
 */
export async function planRender(
  services: RenderServices,
  accountId: number,
  id: number,
  fields: RenderFields,
  version: number | null = null,
): Promise<RenderPlan> {
  const checked = checkRender(fields);
  const stored = await services.patterns.getOrLoad(accountId, id, version, () =>
    getStoredPattern(services, accountId, id),
  );
  const key = JSON.stringify(checked);
  const known = stored.plans.get(key);
  if (known) return known;
  const plan = planStored(services, stored, checked);
  stored.plans.set(key, plan);
  return plan;
}

/** A version of a pattern: one that is stored, or a snapshot. */
export interface RenderSubject {
  readonly pattern: Pick<Pattern, "account_id" | "id" | "name" | "group">;
  readonly design: Checked<Design>;
  readonly source: Pick<Pattern["source"], "sha256">;
}

/** Plans a render of this version of a pattern. */
export function planStored(
  { engine }: Pick<RenderServices, "engine">,
  { pattern, source, design }: RenderSubject,
  fields: Checked<RenderFields>,
): RenderPlan {
  const fingerprint = pictureFingerprint(engine.version, source.sha256, design, fields);
  const sizes = { size: sizeOf(design, fields), measures: measuresOf(design, fields) };
  return { accountId: pattern.account_id, pattern, design, source, fields, ...sizes, fingerprint };
}

/** The first bytes of a picture did not come in time; its render was stopped. */
export class RenderTimeout extends Error {
  override readonly name = "RenderTimeout";
  readonly code = "render_timeout" satisfies FailureCode;
  constructor(milliseconds: number) {
    super(`the render was not done within ${milliseconds / 1000} seconds`);
  }
}

/** Whether a picture is rendered into memory; larger ones are sent while they are rendered. */
export function isWhole({ size, fields }: Pick<RenderPlan, "size" | "fields">): boolean {
  const { width, height } = size;
  // Lossy formats are encoded in one piece and small.
  return width * height <= WHOLE_PIXELS || formatFacts[fields.format].lossy;
}

/** Whether nodes share a picture: rendering it takes longer than a request to an object store. */
const isShared = ({ size }: RenderPlan) => size.width * size.height >= SHARED_PIXELS;

/**
 * Returns a plan's picture: the cached one, or a new one that concurrent callers share.
 * Resolves with all of a small picture or the first bytes of a large one. Throws RenderTimeout where
 * that takes longer than a render may, SourceUnreadable, Overloaded, and what `caller` aborts with.
 * @param owner whose share of the threads it takes
 */
export async function renderPicture(
  services: Pick<RenderServices, "engine" | "renders" | "renderTimeoutMs" | "sources">,
  plan: RenderPlan,
  caller: AbortSignal,
  owner = ownerOf(plan.accountId),
): Promise<Picture> {
  const { engine, renders, renderTimeoutMs } = services;
  const { fingerprint, design, fields } = plan;
  const cached = renders.inMemory(fingerprint);
  if (cached) {
    measure("picture", { isCached: true });
    return cached;
  }
  let releasePlace: () => unknown = () => undefined;
  try {
    // Whether the queue is full is known before the source is read.
    if (!renders.has(fingerprint)) releasePlace = engine.reserveSlot(owner);
  } catch (error) {
    const shared = isShared(plan) ? await renders.findShared(fingerprint, caller) : null;
    if (shared === null) throw error;
    measure("picture", { isCached: true });
    return shared;
  }
  let begun = 0;
  const requestOf = async (signal: AbortSignal) => {
    const { sha256 } = plan.source;
    const bytes = await readSourceImage(services, sha256);
    signal.throwIfAborted();
    releasePlace();
    begun = performance.now();
    return { design, source: { sha256, bytes }, render: fields };
  };
  const made = (backend: string, timings: Timings) =>
    measure("render", {
      mode: fields.mode,
      backend,
      timings,
      milliseconds: performance.now() - begun,
    });
  const renderWhole = async (signal: AbortSignal) => {
    const rendered = await engine.render(await requestOf(signal), signal, owner);
    made(rendered.backend, rendered.timings);
    return rendered;
  };
  const startRender = async (signal: AbortSignal) => {
    const started = await engine.renderStream(await requestOf(signal), signal, owner);
    // The reader of the picture gets the error.
    started.timings.then((timings) => made(started.backend, timings)).catch(() => undefined);
    return started;
  };
  const { signal: wait, lift } = createTimeLimit(renderTimeoutMs, caller);
  try {
    const picture = isWhole(plan)
      ? await renders.getOrRender(fingerprint, renderWhole, wait, isShared(plan))
      : await renders.getOrStream(fingerprint, startRender, { signal: caller, wait });
    measure("picture", { isCached: picture.timings === null });
    return picture;
  } finally {
    releasePlace();
    lift();
  }
}

/**
 * Returns a hash, in hex, of everything that decides the picture's bytes.
 * @param engine the engine's version
 * @param source the source's SHA-256
 */
export function pictureFingerprint(
  engine: string,
  source: string,
  design: Design,
  fields: RenderFields,
): string {
  return contentHash([engine, source, canonicalRender(design, fields)]).toString("hex");
}

/** Runs `work`, and once more if it read a damaged entry of the cache, which is deleted by then. */
export async function retryUnreadable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnreadableEntry)) throw error;
    return await work();
  }
}

export interface TimeLimit {
  /** Aborts with `RenderTimeout` when the time is over, or with what the caller's signal says. */
  readonly signal: AbortSignal;
  /** Lifts the limit: from now on only the caller ends the work. */
  lift(): void;
}

/** A limit on the time that work may take, beside the caller's own signal. */
export function createTimeLimit(milliseconds: number, caller: AbortSignal): TimeLimit {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new RenderTimeout(milliseconds)), milliseconds);
  return {
    signal: AbortSignal.any([late.signal, caller]),
    lift: () => clearTimeout(timer),
  };
}

/** Runs work for at most as long as a render may take. Throws `RenderTimeout`, and what `work` throws. */
export async function withRenderTimeLimit<Result>(
  { renderTimeoutMs }: Pick<RenderServices, "renderTimeoutMs">,
  caller: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { signal, lift } = createTimeLimit(renderTimeoutMs, caller);
  try {
    return await work(signal);
  } finally {
    lift();
  }
}
