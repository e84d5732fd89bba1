import type { Design, RenderFields } from "../../engine/index.ts";
import { withAccountEngine } from "./account-engine.ts";
import { requireActive, requireProgrammaticPlan } from "./accounts.ts";
import { LinkGone } from "./render-links.ts";
import { pictureName, planPicture, type RenderPlan } from "./render-pattern.ts";
import type { Services } from "./services.ts";

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
