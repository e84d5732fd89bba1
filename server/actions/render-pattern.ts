import { createHash } from "node:crypto";
import type { Pattern } from "../../db/index.ts";
import {
  canonicalRender,
  checkRender,
  type RenderFields,
  type Rendering,
} from "../../engine/index.ts";
import { getPattern } from "./get-pattern.ts";
import { readSourceImage } from "./read-source-image.ts";
import { designOf } from "./resources/pattern.ts";
import type { Services } from "./services.ts";

export { RenderFields, sizeOf } from "../../engine/index.ts";

/** A picture that can be made: what it will be is settled, nothing has been computed. */
export interface RenderPlan {
  readonly pattern: Pattern;
  readonly fields: RenderFields;
  /** A word that is another one whenever the picture's bytes are others. */
  readonly fingerprint: string;
  /** Starts the render. Throws SourceUnreadable, Overloaded, and what `signal` aborts with. */
  start(signal: AbortSignal): Promise<Rendering>;
}

/** Settles what a render of the account's pattern will be. Throws InvalidRecipe, NotFound. */
export async function planRender(
  services: Services,
  accountId: number,
  id: number,
  fields: RenderFields,
): Promise<RenderPlan> {
  checkRender(fields);
  const pattern = await getPattern(services, accountId, id);
  const source = await services.db.sources.get(accountId, pattern.source_id);
  if (!source)
    throw new Error(`pattern ${id} stands on source ${pattern.source_id}, which is gone`);
  const { sha256 } = source;
  const design = designOf(pattern);
  return {
    pattern,
    fields,
    fingerprint: hashOf([services.engine.version, sha256, canonicalRender(design, fields)]),
    async start(signal) {
      const bytes = await readSourceImage(services, source);
      signal.throwIfAborted();
      const request = { design, source: { sha256, bytes }, render: fields };
      return services.engine.render(request, signal);
    },
  };
}

/** SHA-256 of JSON in which the order of an object's members does not depend on who wrote it. */
function hashOf(value: unknown): string {
  const json = JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
  return createHash("sha256").update(json).digest("base64url");
}
