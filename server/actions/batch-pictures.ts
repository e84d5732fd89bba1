/** The pictures of batches: rendered on demand, and compared with what the batch recorded. */
import { createHash } from "node:crypto";
import PQueue from "p-queue";
import { type BatchSubject, Conflict, type BatchItem as ItemRow } from "../../db/index.ts";
import {
  type Checked,
  CONTACT_SHEET,
  checkDesign,
  checkRender,
  type Design,
  type RenderFields,
  scaledRender,
} from "../../engine/index.ts";
import { ownerOf } from "./accounts.ts";
import type { BatchRequest, ItemError } from "./batch-fields.ts";
import { InvalidInput, InvalidRecipe, NotFound, NotReady, requireFound } from "./errors.ts";
import { readGroup } from "./pattern-fields.ts";
import { goneIfSourceMissing, planRecorded, sourceDeleted } from "./render-links.ts";
import {
  type Picture,
  planStored,
  type RenderPlan,
  type RenderServices,
  type RenderSubject,
  renderPicture,
  retryUnreadable,
  withRenderTimeLimit,
} from "./renders.ts";
import type { Services } from "./services.ts";
import { LinkGone } from "./tokens.ts";

/**
 * Plans the picture of an item, of the pattern as it was when the batch was created; `change` may replace fields of
 * the render. Throws NotFound, InvalidInput for an unknown group, InvalidRecipe, LinkGone where the source was
 * deleted.
 */
export function planItem(
  services: Pick<RenderServices, "engine">,
  subject: BatchSubject,
  change = (_: Design, fields: RenderFields) => fields,
): RenderPlan {
  const { pattern, source, ...read } = readItem(subject);
  const design = checkDesign(read.design);
  const fields = checkRender(change(design, read.fields));
  return planStored(services, { pattern, design, source }, fields);
}

/**
 * Returns what an item renders. Throws NotFound, InvalidInput for an unknown group, LinkGone where the source was
 * deleted.
 */
function readItem(subject: BatchSubject) {
  const { account_id, pattern_id, name, source_sha256, has_source } = subject;
  if (source_sha256 === null) throw new NotFound(`pattern ${pattern_id}`);
  if (!has_source) throw sourceDeleted();
  const { pattern_id: _, group, palette, ...fields } = subject.request as BatchRequest;
  const design: Design = {
    ...(subject.design as Design),
    ...(group !== undefined && { group: readGroup(group) }),
    ...(palette !== undefined && { palette }),
  };
  const pattern = { account_id, id: pattern_id, name, group: design.group };
  return { pattern, design, source: { sha256: source_sha256 }, fields };
}

/** Resolves with length and SHA-256 in hex of a picture, which is read to its end. */
export async function digestOf(picture: Picture): Promise<{ length: number; sha256: string }> {
  if (picture.digest !== null) return picture.digest;
  const hash = createHash("sha256");
  let length = 0;
  for await (const chunk of picture.read(0, Number.POSITIVE_INFINITY)) {
    hash.update(chunk);
    length += chunk.byteLength;
  }
  return { length, sha256: hash.digest("hex") };
}

/** The picture of an item. */
export interface ItemPicture {
  readonly plan: RenderPlan;
  /** Throws LinkGone where the picture is not what the batch recorded, and as `renderPicture`. */
  render(): Promise<Picture>;
  cached(): Promise<Picture | null>;
}

/**
 * Returns the picture of an item. Throws NotFound, NotReady before it is rendered, Conflict if it failed or was
 * cancelled, LinkGone where its source was deleted or its bytes cannot be rendered again, and as `planItem`.
 */
export async function openItem(
  services: Services,
  { accountId, batchId, index }: { accountId: number; batchId: number; index: number },
  signal: AbortSignal,
): Promise<ItemPicture> {
  const what = `item ${index} of batch ${batchId}`;
  const subject = requireFound(await services.db.batches.subject(accountId, batchId, index), what);
  const { status, batch_status, fingerprint, sha256 } = subject;
  if (status === "failed") {
    throw new Conflict(`${what} has failed: ${(subject.error as ItemError).detail}`);
  }
  if (fingerprint === null && batch_status === "cancelled") {
    throw new Conflict(`batch ${batchId} was cancelled before item ${index} was rendered`);
  }
  if (fingerprint === null) throw new NotReady(`${what} is not rendered yet`);
  const { fields, ...pattern } = readItem(subject);
  const recorded = await planRecorded(
    services,
    pattern as RenderSubject,
    fields as Checked<RenderFields>,
    fingerprint,
  );
  const { plan, cached } = recorded;
  return {
    plan,
    cached: async () => cached ?? services.renders.find(fingerprint),
    async render() {
      if (cached) return cached;
      const picture = await goneIfSourceMissing(renderPicture(services, plan, signal));
      if (picture.digest === null || picture.digest.sha256 === sha256) return picture;
      throw new LinkGone("the service cannot reproduce the same bytes");
    },
  };
}

/** Contact sheets are rendered a few pictures at a time. */
const AT_ONCE = 4;

/** What leaves a cell of a contact sheet empty. */
const MISSING = [InvalidInput, InvalidRecipe, LinkGone, NotFound];

/**
 * Draws the first items of a batch, up to a hundred, in a grid: a JPEG. Cells without a picture are grey. Throws
 * NotFound, RenderTimeout, Overloaded, and the reason of `signal`.
 */
export async function drawContactSheet(
  services: Services,
  accountId: number,
  batchId: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { db, engine } = services;
  const subjects = await db.batches.subjects(accountId, batchId, CONTACT_SHEET.cells);
  if (subjects.length === 0) throw new NotFound(`batch ${batchId}`);
  const queue = new PQueue({ concurrency: AT_ONCE });
  const stop = new AbortController();
  const caller = AbortSignal.any([signal, stop.signal]);
  return withRenderTimeLimit(services, caller, async (limited) => {
    const draw = (subject: BatchSubject) => async () => {
      limited.throwIfAborted();
      return drawSmall(services, subject, limited);
    };
    const pictures = await queue.addAll(subjects.map(draw)).catch((error) => {
      // The other pictures are not needed any more.
      queue.clear();
      stop.abort(error);
      throw error;
    });
    return engine.drawContactSheet(pictures, limited, ownerOf(accountId));
  });
}

/** Returns an item's picture as a PNG that is no larger than a cell; null where it has none. */
async function drawSmall(
  services: Services,
  subject: BatchSubject,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  if (subject.status !== "done") return null;
  try {
    const plan = planItem(services, subject, (_, fields) => smallFields(subject, fields));
    const read = async () => {
      const { bytes, read } = await goneIfSourceMissing(renderPicture(services, plan, signal));
      return bytes ?? Buffer.concat(await Array.fromAsync(read(0, Number.POSITIVE_INFINITY)));
    };
    return await retryUnreadable(read);
  } catch (error) {
    if (MISSING.some((kind) => error instanceof kind)) return null;
    throw error;
  }
}

function smallFields({ width, height }: ItemRow, fields: RenderFields): RenderFields {
  const longest = Math.max(width ?? 1, height ?? 1);
  const factor = Math.min(1, CONTACT_SHEET.cell / longest);
  return { ...scaledRender(fields, factor).fields, format: "png" };
}
