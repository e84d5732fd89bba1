/** Links to renders that need no key. */
import Type, { type Static } from "typebox";
import { checkRender, type Design, RenderFields } from "../../engine/index.ts";
import { withAccountEngine } from "./account-engine.ts";
import { requireActive, requireProgrammaticPlan } from "./accounts.ts";
import { contentHash } from "./content-hash.ts";
import { Moment, strict } from "./fields.ts";
import type { StoredPattern } from "./pattern-cache.ts";
import { designOf } from "./pattern-fields.ts";
import { getPattern, getPatternSource } from "./patterns.ts";
import { pictureName, planPicture, type RenderPlan } from "./renders.ts";
import type { Services } from "./services.ts";
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
      description: "Seconds from now until the link stops working: at most 90 days.",
    }),
  },
  { ...strict, description: "What picture the link leads to, and for how long." },
);

export const RenderLink = Type.Object(
  {
    url: Type.String({
      format: "uri",
      examples: ["https://orbifold.example/api/v1/renders/pattern-12.png?token=eyJhbGciOiJIUzI1"],
      description: "Returns the picture to whoever has it: always the same bytes.",
    }),
    expires_at: Moment,
  },
  { ...strict, description: "A link to a render that needs no key." },
);

/**
 * Signs a link to a render of the account's pattern as it is now. Throws InvalidRecipe for what
 * cannot be rendered, NotFound, QuotaExceeded.
 */
export async function createRenderLink(
  services: Services,
  accountId: number,
  patternId: number,
  { expires_in, ...fields }: Static<typeof RenderLinkFields>,
): Promise<Static<typeof RenderLink>> {
  checkRender(fields);
  const pattern = await getPattern(services, accountId, patternId);
  const source = await getPatternSource(services, pattern);
  return linkTo(services, { pattern, source }, fields, expires_in);
}

/** Signs a link to a render, already checked, of this very version of a pattern. Throws QuotaExceeded. */
export async function linkTo(
  { db, engine, publicUrl, renderLinks }: Services,
  { pattern, source }: StoredPattern,
  fields: RenderFields,
  seconds: number,
): Promise<Static<typeof RenderLink>> {
  const design = designOf(pattern);
  const render = {
    account_id: pattern.account_id,
    pattern_id: pattern.id,
    name: pattern.name,
    fingerprint: pictureName(engine.version, source.sha256, design, fields),
    source_sha256: source.sha256,
    design,
    fields,
  };
  const id = contentHash(render).subarray(0, ID_BYTES).toString("hex");
  // The token counts in whole seconds.
  const expiresAt = new Date((Math.floor(Date.now() / 1000) + seconds) * 1000);
  await db.pinnedRenders.pin(id, render, expiresAt);
  const url = new URL(`${publicUrl}/api/v1/renders/pattern-${pattern.id}.${fields.format}`);
  url.searchParams.set("token", await renderLinks.sign(id, expiresAt));
  return { url: url.href, expires_at: expiresAt.toISOString() };
}

/** A link's picture, and when the link expires. */
export interface FollowedLink {
  readonly plan: RenderPlan;
  readonly expiresAt: Date;
}

/**
 * Plans the picture that a link was made for, whatever its pattern has become since. The link works
 * while its account may render and has the source. Throws UnknownLink, LinkGone, AccountFrozen,
 * PlanRequired; its picture throws TooMuchInFlight too.
 */
export async function followRenderLink(services: Services, token: string): Promise<FollowedLink> {
  const { id, expiresAt } = await services.renderLinks.verify(token);
  const pinned = await services.db.pinnedRenders.find(id);
  const account = pinned && (await services.db.accounts.byId(pinned.account_id));
  if (!account) throw new LinkGone("the account of the link was deleted");
  requireActive(account);
  requireProgrammaticPlan(account);
  if (!pinned.has_source) throw sourceDeleted();

  const { pattern_id, name: title, fingerprint, source_sha256 } = pinned;
  // They were checked before they were stored.
  const design = pinned.design as Design;
  const fields = pinned.fields as RenderFields;
  const plan = planPicture(withAccountEngine(services, account), account.id, {
    pattern: { id: pattern_id, name: title, group: design.group },
    design,
    fields,
    name: fingerprint,
    readSource: async () => {
      const bytes = await services.sources.read(source_sha256);
      if (!bytes) throw sourceDeleted();
      return { sha256: source_sha256, bytes };
    },
  });
  const name = pictureName(services.engine.version, source_sha256, design, fields);
  if (name === fingerprint) return { plan, expiresAt };

  // This engine makes other bytes of the same recipe: only a picture from before will do.
  const kept = await plan.kept();
  if (!kept) throw new LinkGone("the service was upgraded and cannot make these very bytes again");
  return { plan: { ...plan, picture: async () => kept }, expiresAt };
}

const sourceDeleted = () => new LinkGone("the picture that the pattern was made of was deleted");
