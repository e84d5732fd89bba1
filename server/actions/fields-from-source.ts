/** Fields of patterns that are taken from a source when a pattern is created or changed. */
import type { Static } from "typebox";
import { Value } from "typebox/value";
import { type Lattice, Motif, PALETTE_SIZE, type PatternPalette } from "../../engine/index.ts";
import { ownerOf } from "./accounts.ts";
import { InvalidInput, issueAt } from "./errors.ts";
import { type PaletteInput, readGroup } from "./pattern-fields.ts";
import type { Services } from "./services.ts";
import { getSource, sourceBytesOf } from "./sources.ts";

/**
 * Returns a palette as it is stored. Throws NotFound for the source that its colours come from,
 * InvalidInput at `path` if it has fewer than two, SourceMissing, SourceUnreadable, Overloaded, and the
 * reason of `signal`.
 */
export async function readPalette(
  services: Services,
  accountId: number,
  palette: PaletteInput,
  signal: AbortSignal,
  path = "/palette",
): Promise<Static<typeof PatternPalette>> {
  if (palette === null || typeof palette === "string" || !("from" in palette)) return palette;
  const { from, count = PALETTE_SIZE } = palette;
  const request = { source: await sourceBytesOf(services, accountId, from), count };
  const colours = await services.engine.sourceColours(request, signal, ownerOf(accountId));
  if (colours.length > 1) return [...colours];
  const expected = "a source with several colours";
  throw new InvalidInput([issueAt(`${path}/from`, from, expected, "has fewer than two colours")]);
}

/** What a motif depends on. */
interface MotifSubject {
  readonly source_id: number;
  readonly group: string;
  readonly lattice: Lattice;
}

/** The middle shows little of pictures of which one side is more than so many times the other. */
const PANORAMA = 2;

/**
 * Returns a motif as it is stored: where none is given, the middle, or the best one of a panorama. Throws as
 * `readPalette`.
 */
export async function readMotif(
  services: Services,
  accountId: number,
  fields: MotifSubject & { readonly motif?: Motif | "auto" | undefined },
  signal: AbortSignal,
): Promise<Motif> {
  const { motif, source_id } = fields;
  if (motif !== undefined && motif !== "auto") return motif;
  const middle = Value.Default(Motif, {}) as Motif;
  if (motif === undefined) {
    const { width, height } = await getSource(services, accountId, source_id);
    if (Math.max(width, height) <= PANORAMA * Math.min(width, height)) return middle;
  }
  return { ...middle, ...(await bestMotif(services, accountId, fields, signal)) };
}

/** Returns the place of the best motif of a source. Throws as `readPalette`. */
export async function bestMotif(
  services: Services,
  accountId: number,
  { source_id, group, lattice }: MotifSubject,
  signal: AbortSignal,
): Promise<Omit<Motif, "sampling">> {
  const source = await sourceBytesOf(services, accountId, source_id);
  const request = { source, count: 1, groups: [readGroup(group)], lattice };
  const [best] = await services.engine.ideas(request, signal, ownerOf(accountId));
  // At scale 1 and upright any motif fits into any picture.
  if (best === undefined) throw new Error(`no motif of source ${source_id} fits`);
  const { x, y, scale, rotation } = best.motif;
  return { x, y, scale, rotation };
}
