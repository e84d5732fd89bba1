/** Links to mockups that need no key. They are pinned, like those of renders. */
import { createHash } from "node:crypto";
import type { Static } from "typebox";
import { type Checked, checkDesign, type Design } from "../../engine/index.ts";
import { ownerOf } from "./accounts.ts";
import { contentHash } from "./content-hash.ts";
import { withAccountEngine } from "./in-flight.ts";
import {
  findCachedPicture,
  goneIfSourceMissing,
  type LinkSubject,
  type OpenedLink,
  pin,
  type RenderLink,
} from "./render-links.ts";
import { type Picture, withRenderTimeLimit } from "./renders.ts";
import type { Services } from "./services.ts";
import { readSourceImage } from "./sources.ts";

/** A product with a pattern, whose cell has an edge of so many millimetres. */
export interface MockupFields {
  readonly product: string;
  readonly cell_mm: number;
}

/** Returns a hash, in hex, of everything that decides a mockup's bytes. */
function mockupFingerprint(
  engine: string,
  source: string,
  design: Design,
  { product, cell_mm }: MockupFields,
): string {
  return contentHash([engine, source, design, { product, cell_mm }]).toString("hex");
}

/** Signs a link to a mockup of this very version of a pattern. Throws QuotaExceeded. */
export function linkToMockup(
  services: Services,
  subject: LinkSubject,
  fields: MockupFields,
  seconds: number,
): Promise<Static<typeof RenderLink>> {
  const { design, source, pattern } = subject;
  const fingerprint = mockupFingerprint(services.engine.version, source.sha256, design, fields);
  const fileName = `pattern-${pattern.id}-${fields.product}.jpg`;
  return pin(services, subject, { fields, fingerprint, fileName }, seconds);
}

/** Returns what a link shows of a product; null for a link to a render. */
export function mockupOf({ pinned }: OpenedLink): MockupFields | null {
  const fields = pinned.fields as object;
  return "product" in fields ? (fields as MockupFields) : null;
}

/** Only renders report times. */
const NO_TIMINGS = { queue: 0, sample: 0, effects: 0, encode: 0 };

/**
 * Returns the mockup that a link was made for, from the cache or drawn. Throws LinkGone, RenderTimeout,
 * InFlightLimitExceeded, InvalidRecipe, Overloaded.
 */
export async function drawLinkedMockup(
  services: Services,
  { account, pinned }: OpenedLink,
  fields: MockupFields,
  caller: AbortSignal,
): Promise<Picture> {
  const { fingerprint, source_sha256: sha256 } = pinned;
  // Checked before it was stored, perhaps by an earlier release.
  const design = pinned.design as Checked<Design>;
  if (mockupFingerprint(services.engine.version, sha256, design, fields) !== fingerprint) {
    return findCachedPicture(services, fingerprint);
  }
  checkDesign(design);
  const { engine } = withAccountEngine(services, account);
  const draw = async (signal: AbortSignal) => {
    const source = { sha256, bytes: await readSourceImage(services, sha256) };
    const request = { design, source, ...fields };
    const bytes = await engine.drawMockup(request, signal, ownerOf(account.id));
    return {
      bytes,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      strain: 0,
      backend: engine.backend,
      timings: NO_TIMINGS,
    };
  };
  return withRenderTimeLimit(services, caller, (signal) =>
    goneIfSourceMissing(services.renders.getOrRender(fingerprint, draw, signal)),
  );
}
