import { requireActive, requireProgrammaticPlan } from "./accounts.ts";
import { planRender, type RenderPlan } from "./render-pattern.ts";
import type { Services } from "./services.ts";

/** The link is forged, has expired, or leads to nothing any more. */
export class DeadLink extends Error {
  override readonly name = "DeadLink";
  constructor() {
    super("the link has expired or was never made here");
  }
}

/**
 * Settles what a link's render will be. The link works as long as its account might render itself.
 * Throws DeadLink, AccountFrozen, PlanRequired, and NotFound where the pattern is gone.
 */
export async function followRenderLink(services: Services, token: string): Promise<RenderPlan> {
  const render = await services.renderLinks.verify(token);
  const account = render && (await services.db.accounts.byId(render.accountId));
  if (!account) throw new DeadLink();
  requireActive(account);
  requireProgrammaticPlan(account);
  return planRender(services, account.id, render.patternId, render.fields);
}
