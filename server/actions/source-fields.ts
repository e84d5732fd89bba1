/** Fields of patterns that are taken from a source when a pattern is created or changed. */
import type { Static } from "typebox";
import type { GroupName, Motif, PatternPalette } from "../../engine/index.ts";
import { ownerOf } from "./accounts.ts";
import { InvalidInput, issueAt } from "./errors.ts";
import { ideasOf } from "./ideas.ts";
import type { PaletteInput } from "./pattern-fields.ts";
import type { Services } from "./services.ts";
import { getSource, readSourceImage } from "./sources.ts";

/**
 * Returns a palette as it is stored. Throws NotFound for the source that its colours come from,
 * InvalidInput if it has only one, SourceMissing, SourceUnreadable, Overloaded, and the reason of
 * `signal`.
 */
export async function readPalette(
  services: Services,
  accountId: number,
  palette: PaletteInput,
  signal: AbortSignal,
): Promise<Static<typeof PatternPalette>> {
  if (palette === null || typeof palette === "string" || !("from" in palette)) return palette;
  const { sha256 } = await getSource(services, accountId, palette.from);
  const source = { sha256, bytes: await readSourceImage(services, sha256) };
  const request = { source, count: palette.count };
  const colours = await services.engine.sourceColours(request, signal, ownerOf(accountId));
  if (colours.length > 1) return [...colours];
  const received = `source ${palette.from}`;
  throw new InvalidInput([
    issueAt("/palette/from", received, "a source with several colours", "has one colour only"),
  ]);
}

/** Returns the best motif of a source under a group. Throws as `ideasOf`. */
export async function bestMotif(
  services: Services,
  accountId: number,
  sourceId: number,
  group: GroupName,
  signal: AbortSignal,
): Promise<Motif> {
  const fields = { count: 1, groups: [group] };
  const [best] = await ideasOf(services, accountId, sourceId, fields, signal);
  // At scale 1 any motif fits into any picture.
  if (best === undefined) throw new Error(`no motif of source ${sourceId} fits`);
  return best.motif;
}
