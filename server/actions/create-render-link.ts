import Type, { type Static } from "typebox";
import { checkRender, RenderFields } from "../../engine/index.ts";
import { contentHash } from "./content-hash.ts";
import { getPattern } from "./get-pattern.ts";
import { getPatternSource } from "./get-pattern-source.ts";
import type { StoredPattern } from "./pattern-cache.ts";
import { pictureName } from "./render-pattern.ts";
import { Moment, strict } from "./resources/fields.ts";
import { designOf } from "./resources/pattern.ts";
import type { Services } from "./services.ts";

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
