/** Links to renders that need no key. */
import Type, { type Static } from "typebox";
import {
  type Checked,
  checkDesign,
  checkRender,
  type Design,
  Measures,
  measuresOf,
  RenderFields,
} from "../../engine/index.ts";
import { requireActive, requireProgrammaticPlan } from "./accounts.ts";
import { contentHash } from "./content-hash.ts";
import { strict, Timestamp } from "./fields.ts";
import { withAccountEngine } from "./in-flight.ts";
import { measure } from "./measurements.ts";
import { getStoredPattern } from "./patterns.ts";
import {
  type Picture,
  pictureFingerprint,
  planStored,
  type RenderPlan,
  type RenderSubject,
  renderPicture,
} from "./renders.ts";
import type { Account, Database, Pattern, Services } from "./services.ts";
import { SourceMissing } from "./sources.ts";
import { LinkGone } from "./tokens.ts";

const DAY = 24 * 60 * 60;

/** Bytes of a pinned render's id: enough that no two recipes of an account share one. */
const ID_BYTES = 16;

export const RenderLinkFields = Type.Object(
  {
    ...RenderFields.properties,
    expires_in: Type.Integer({
      minimum: 1,
      maximum: 90 * DAY,
      default: DAY,
      description: "Seconds until the URL expires: at most 90 days.",
    }),
  },
  { ...strict, description: "The render that the URL returns, and how long it is valid." },
);

const EXAMPLE = {
  url: "https://orbifold.example/api/v1/renders/pattern-12.png?token=eyJhbGciOiJIUzI1",
  expires_at: "2026-01-31T12:00:00.000Z",
};

export const RenderLink = Type.Object(
  {
    url: Type.String({
      format: "uri",
      examples: [EXAMPLE.url],
      description: "Returns the image without a key: always the same bytes.",
    }),
    expires_at: Timestamp,
  },
  { ...strict, description: "A signed URL of a render, which needs no key." },
);

export const MeasuredRenderLink = Type.Object(
  { ...RenderLink.properties, ...Measures.properties },
  {
    ...strict,
    description: "A signed URL of a render, and the render's sizes.",
    examples: [
      {
        ...EXAMPLE,
        size_mm: { width: 86.699, height: 86.699 },
        repeat_mm: { width: 86.699, height: 86.699 },
        true_shape: { width: 1024, height: 1024, strain: 0 },
      },
    ],
  },
);

/**
 * Signs a link to a render of the account's pattern as it is now. Throws InvalidRecipe for what
 * cannot be rendered, NotFound, QuotaExceeded.
 */
export async function createRenderLink(
  services: Services,
  accountId: number,
  patternId: number,
  { expires_in, ...asked }: Static<typeof RenderLinkFields>,
): Promise<Static<typeof MeasuredRenderLink>> {
  const fields = checkRender(asked);
  const stored = await getStoredPattern(services, accountId, patternId);
  const link = await linkTo(services, stored, fields, expires_in);
  return { ...link, ...measuresOf(stored.design, fields) };
}

/** A version of a pattern: one that is stored, or a snapshot. */
export interface LinkSubject {
  readonly pattern: Pick<Pattern, "account_id" | "id" | "name">;
  readonly design: Checked<Design>;
  readonly source: { readonly sha256: string };
}

/** Signs a link to a render of this very version of a pattern. Throws QuotaExceeded. */
export async function linkTo(
  services: Services,
  subject: LinkSubject,
  fields: Checked<RenderFields>,
  seconds: number,
): Promise<Static<typeof RenderLink>> {
  const { design, source } = subject;
  const fingerprint = pictureFingerprint(services.engine.version, source.sha256, design, fields);
  const fileName = `pattern-${subject.pattern.id}.${fields.format}`;
  return pin(services, subject, { fields, fingerprint, fileName }, seconds);
}

/** What a link returns. */
interface Pinned {
  /** How the pattern is shown. */
  readonly fields: object;
  /** As `pictureFingerprint` returns it. */
  readonly fingerprint: string;
  readonly fileName: string;
}

/** Pins a picture of a pattern, and signs a link to it. Throws QuotaExceeded. */
export async function pin(
  { db, publicUrl, renderLinks }: Services,
  { pattern, design, source }: LinkSubject,
  { fields, fingerprint, fileName }: Pinned,
  seconds: number,
): Promise<Static<typeof RenderLink>> {
  const render = {
    account_id: pattern.account_id,
    pattern_id: pattern.id,
    name: pattern.name,
    fingerprint,
    source_sha256: source.sha256,
    design,
    fields,
  };
  const id = contentHash(render).subarray(0, ID_BYTES).toString("hex");
  // The token counts in whole seconds.
  const expiresAt = new Date((Math.floor(Date.now() / 1000) + seconds) * 1000);
  await db.pinnedRenders.pin(id, render, expiresAt);
  const url = new URL(`${publicUrl}/api/v1/renders/${fileName}`);
  url.searchParams.set("token", await renderLinks.sign(id, expiresAt));
  return { url: url.href, expires_at: expiresAt.toISOString() };
}

/** A valid link. */
export interface OpenedLink {
  readonly account: Account;
  readonly pinned: NonNullable<Awaited<ReturnType<Database["pinnedRenders"]["find"]>>>;
  readonly expiresAt: Date;
}

/**
 * Returns what a link was made for. The link works while its account may render and has the source.
 * Throws InvalidLink, LinkGone, AccountFrozen, PlanRequired.
 */
export async function openLink(services: Services, token: string): Promise<OpenedLink> {
  const { id, expiresAt } = await services.renderLinks.verify(token);
  const pinned = await services.db.pinnedRenders.find(id);
  const account = pinned && (await services.db.accounts.byId(pinned.account_id));
  if (!account) throw new LinkGone("the account of the link was deleted");
  requireActive(account);
  requireProgrammaticPlan(account);
  if (!pinned.has_source) throw sourceDeleted();
  return { account, pinned, expiresAt };
}

/** A link's picture, and when the link expires. */
export interface FollowedLink {
  readonly account: Account;
  readonly plan: RenderPlan;
  /** The picture, where this engine would render other bytes and only the cached ones will do. */
  readonly cached: Picture | null;
  readonly expiresAt: Date;
}

/**
 * Plans the picture that a link was made for, whatever its pattern has become since. Throws LinkGone,
 * InvalidRecipe.
 */
export async function followRenderLink(
  services: Services,
  { account, pinned, expiresAt }: OpenedLink,
): Promise<FollowedLink> {
  // Checked before they were stored, perhaps by an earlier release.
  const design = pinned.design as Checked<Design>;
  const fields = pinned.fields as Checked<RenderFields>;
  const pattern = {
    account_id: account.id,
    id: pinned.pattern_id,
    name: pinned.name,
    group: design.group,
  };
  const subject = { pattern, design, source: { sha256: pinned.source_sha256 } };
  const recorded = await planRecorded(services, subject, fields, pinned.fingerprint);
  return { account, ...recorded, expiresAt };
}

/**
 * Plans a picture that was recorded, perhaps by an earlier release. Throws LinkGone where this engine would render
 * other bytes and the picture is not cached; InvalidRecipe.
 */
export async function planRecorded(
  services: Services,
  subject: RenderSubject,
  fields: Checked<RenderFields>,
  fingerprint: string,
): Promise<Pick<FollowedLink, "plan" | "cached">> {
  const current = planStored(services, subject, fields);
  const plan = { ...current, fingerprint };
  if (current.fingerprint !== fingerprint) {
    return { plan, cached: await findCachedPicture(services, fingerprint) };
  }
  checkDesign(subject.design);
  checkRender(fields);
  return { plan, cached: null };
}

/** Returns a picture from the cache, which this engine would render differently. Throws LinkGone. */
export async function findCachedPicture(
  { renders }: Services,
  fingerprint: string,
): Promise<Picture> {
  const cached = await renders.find(fingerprint);
  if (!cached) throw new LinkGone("the service was upgraded and cannot reproduce the same bytes");
  return cached;
}

/** Returns a link's picture, as `renderPicture`. Throws LinkGone and InFlightLimitExceeded too. */
export async function renderLinkedPicture(
  services: Services,
  { account, plan, cached }: FollowedLink,
  signal: AbortSignal,
): Promise<Picture> {
  if (cached) {
    measure("picture", { isCached: true });
    return cached;
  }
  return goneIfSourceMissing(renderPicture(withAccountEngine(services, account), plan, signal));
}

/** Settles like `work`, but rejects with LinkGone where the source was deleted meanwhile. */
export function goneIfSourceMissing<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error) => {
    throw error instanceof SourceMissing ? sourceDeleted() : error;
  });
}

/** Returns the error of a picture whose source was deleted. */
export const sourceDeleted = () =>
  new LinkGone("the picture that the pattern was made of was deleted");
