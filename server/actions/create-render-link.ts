import Type, { type Static } from "typebox";
import { checkRender, RenderFields } from "../../engine/index.ts";
import { getPattern } from "./get-pattern.ts";
import { Moment, strict } from "./resources/fields.ts";
import type { Services } from "./services.ts";

const DAY = 24 * 60 * 60;

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
      description: "Gives the picture to whoever has it.",
    }),
    expires_at: Moment,
  },
  { ...strict, description: "An address of a render that needs no key." },
);

/**
 * Signs an address of a render of the account's pattern. Throws InvalidRecipe for what cannot be
 * rendered, NotFound.
 */
export async function createRenderLink(
  services: Services,
  accountId: number,
  patternId: number,
  { expires_in, ...fields }: Static<typeof RenderLinkFields>,
): Promise<Static<typeof RenderLink>> {
  checkRender(fields);
  await getPattern(services, accountId, patternId);
  // The token counts in whole seconds.
  const expiresAt = new Date((Math.floor(Date.now() / 1000) + expires_in) * 1000);
  const token = await services.renderLinks.sign({ accountId, patternId, fields }, expiresAt);
  const name = `pattern-${patternId}.${fields.format}`;
  const url = new URL(`${services.publicUrl}/api/v1/renders/${name}`);
  url.searchParams.set("token", token);
  return { url: url.href, expires_at: expiresAt.toISOString() };
}
