/** The patterns of an account. */
import Type, { type Static, type TObject, type TSchemaOptions } from "typebox";
import {
  type Account,
  Conflict,
  CreditsExhausted,
  type Page,
  type Pattern,
  type PatternFields,
  type Source,
} from "../../db/index.ts";
import { checkDesign, Motif, type PatternPalette } from "../../engine/index.ts";
import { NotFound, requireFound, VersionMismatch } from "./errors.ts";
import { pageFields, readCursor, SearchText, strict } from "./fields.ts";
import { bestMotif, readMotif, readPalette } from "./fields-from-source.ts";
import { measure } from "./measurements.ts";
import type { StoredPattern } from "./pattern-cache.ts";
import {
  AUTO,
  designFields,
  designOf,
  patternFields,
  readGroup,
  seamWith,
} from "./pattern-fields.ts";
import type { Services } from "./services.ts";
import { createUrlSource, deleteSource, getSource, UrlSource } from "./sources.ts";

export const PATTERN_COST = 1;

export const NewPattern = Type.Object(patternFields, strict);

type DesignInput = Omit<Static<typeof NewPattern>, "source_id">;

/**
 * Returns the row of a new pattern. Throws InvalidInput for an unknown group, InvalidRecipe for a
 * lattice that the group cannot have and for unknown effects.
 */
function readDesign<Input extends DesignInput>(input: Input) {
  const fields = {
    ...input,
    group: readGroup(input.group),
    seam: seamWith(input.style, input.seam),
    background: input.background?.toLowerCase() ?? null,
  };
  return checkDesign(fields);
}

/**
 * Creates a pattern. Throws as `readDesign`, `readMotif` and `readPalette`; NotFound for the source,
 * CreditsExhausted, QuotaExceeded.
 */
export async function createPattern(
  services: Services,
  account: Account,
  input: Static<typeof NewPattern>,
  signal: AbortSignal,
): Promise<Pattern> {
  const fields = readDesign(input);
  const motif = await readMotif(services, account.id, fields, signal);
  const palette = await readPalette(services, account.id, input.palette, signal);
  const created = requireFound(
    await services.db.patterns.create(account.id, { ...fields, motif, palette }, PATTERN_COST),
    `source ${input.source_id}`,
  );
  measure("credits", { reason: "pattern", amount: PATTERN_COST });
  // It is probably rendered next. Ids are not used again, should its transaction be rolled back.
  services.patterns.add(toStored(created));
  return created;
}

const { source_id: _, ...ownFields } = patternFields;

export const UrlPattern = Type.Object({ ...UrlSource.properties, ...ownFields }, strict);

/**
 * Fetches an image and creates a source and a pattern, both or neither; only the pattern is
 * charged. Nothing is fetched for an invalid pattern. Throws as `createUrlSource` and
 * `createPattern`.
 */
export async function createPatternFromUrl(
  services: Services,
  account: Account,
  { url, ...design }: Static<typeof UrlPattern>,
  signal: AbortSignal,
): Promise<{ readonly pattern: Pattern; readonly source: Source }> {
  readDesign(design);
  // The database decides; this only avoids a useless fetch.
  if (account.credits < PATTERN_COST) throw new CreditsExhausted(PATTERN_COST);
  const palette = await readPalette(services, account.id, design.palette, signal);
  const source = await createUrlSource(services, account.id, { url }, signal);
  try {
    signal.throwIfAborted();
    const input = { ...design, palette, source_id: source.id };
    const pattern = await createPattern(services, account, input, signal);
    return { pattern, source };
  } catch (error) {
    // The first error counts, whether the clean-up succeeds or not.
    await deleteSource(services, account.id, source.id).catch(() => undefined);
    throw error;
  }
}

/** Returns a pattern. Throws NotFound. */
export async function getPattern(
  { db }: Pick<Services, "db">,
  accountId: number,
  id: number,
): Promise<Pattern> {
  return requireFound(await db.patterns.get(accountId, id), `pattern ${id}`);
}

/** Returns a pattern of the account with its source. Throws NotFound, and InvalidRecipe for a design that is no longer valid. */
export async function getStoredPattern(
  services: Pick<Services, "db">,
  accountId: number,
  id: number,
): Promise<StoredPattern> {
  return toStored(await getPattern(services, accountId, id));
}

/** Returns a row with its design. Throws InvalidRecipe for a design that is no longer valid. */
const toStored = (pattern: Pattern): StoredPattern => ({
  pattern,
  design: designOf(pattern),
  source: pattern.source,
});

export const PatternList = Type.Object(
  {
    ...pageFields,
    group: Type.Optional(patternFields.group),
    source_id: Type.Optional(patternFields.source_id),
  },
  strict,
);

export const PatternSearch = Type.Object(
  {
    ...PatternList.properties,
    search: Type.Optional(SearchText("A part of the name, or the id.")),
  },
  strict,
);

/**
 * Returns a page of the account's patterns, newest first, optionally those that match. Throws InvalidInput for an unknown group or an invalid cursor.
 */
export async function listPatterns(
  { db }: Services,
  accountId: number,
  { cursor, limit, group, source_id, search }: Static<typeof PatternSearch>,
): Promise<Page<Pattern>> {
  return db.patterns.list(accountId, {
    ...readCursor(cursor),
    limit,
    ...(group !== undefined && { group: readGroup(group) }),
    ...(source_id !== undefined && { source_id }),
    ...(search !== undefined && { search }),
  });
}

/** Returns the schema of a field with all its members optional. */
const partsOf = <Whole extends TObject>(whole: Whole) => {
  const { description = "" } = whole as Whole & TSchemaOptions;
  return Type.Partial(whole, { ...strict, description });
};

export const PatternChanges = Type.Partial(
  Type.Object({
    ...patternFields,
    motif: Type.Union([partsOf(Motif), AUTO], {
      description: 'Members of the motif, or "auto" for the best one under the group.',
    }),
    lattice: partsOf(patternFields.lattice),
    seam: partsOf(patternFields.seam),
  }),
  {
    ...strict,
    examples: [{ name: "Summer tiles", motif: { rotation: 45 } }],
    description: "Omitted fields stay unchanged, also within motif, lattice and seam.",
  },
);

/** Maximum number of attempts at an update when others interfere. */
const ATTEMPTS = 5;

/**
 * Updates the given fields of a pattern. `wants` decides whether the stored version is the expected
 * one. Throws as `readPalette`, InvalidInput, InvalidRecipe, NotFound for the pattern or the new source,
 * VersionMismatch if `wants` refuses, Conflict if other updates keep interfering.
 */
export async function updatePattern(
  services: Services,
  accountId: number,
  id: number,
  input: Static<typeof PatternChanges>,
  wants: (stored: Pattern) => boolean,
  signal: AbortSignal,
): Promise<Pattern> {
  const { motif, palette, ...plain } = input;
  const given = {
    ...plain,
    ...(motif !== "auto" && motif && { motif }),
    ...(input.group !== undefined && { group: readGroup(input.group) }),
    ...(input.background && { background: input.background.toLowerCase() }),
  };
  let ofSources: { motif?: Partial<Motif>; palette?: Static<typeof PatternPalette> } | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const stored = await getPattern(services, accountId, id);
    if (input.source_id !== undefined) await getSource(services, accountId, input.source_id);
    if (!wants(stored)) throw new VersionMismatch(`pattern ${id}`);
    if (Object.keys(input).length === 0) return stored;
    const wanted = { ...stored, ...mergeParts(stored, given) };
    const design = checkDesign(designFields(wanted));
    ofSources ??= {
      ...(motif === "auto" && {
        motif: await bestMotif(services, accountId, { ...wanted, ...design }, signal),
      }),
      ...(palette !== undefined && {
        palette: await readPalette(services, accountId, palette, signal),
      }),
    };
    const changes = mergeParts(stored, { ...given, ...ofSources });
    const changed = await services.db.patterns.update(accountId, id, changes, stored.version);
    if (changed === null) throw new NotFound(`pattern ${id}`);
    if (changed !== "stale") return changed;
  }
  throw new Conflict(`pattern ${id} has too many concurrent updates`);
}

/** Returns the given fields, with missing members of motif, lattice and seam as stored. */
function mergeParts(
  stored: Pattern,
  given: Omit<Static<typeof PatternChanges>, "motif" | "palette"> & {
    readonly motif?: Partial<Motif>;
    readonly palette?: Static<typeof PatternPalette>;
  },
): Partial<PatternFields> {
  const { motif, lattice, seam, style, ...whole } = given;
  const before = designFields(stored);
  return {
    ...whole,
    ...(motif && { motif: { ...before.motif, ...motif } }),
    ...(lattice && { lattice: { ...before.lattice, ...lattice } }),
    ...(style !== undefined && { style }),
    // Setting a style also sets its seam.
    ...(style && { seam: seamWith(style, seam ?? {}) }),
    ...(!style && seam && { seam: { ...before.seam, ...seam } }),
  };
}

/** Deletes a pattern; with `wants`, only an expected version. Throws NotFound, VersionMismatch. */
export async function deletePattern(
  services: Services,
  accountId: number,
  id: number,
  wants?: (stored: Pattern) => boolean,
): Promise<void> {
  const { patterns } = services.db;
  if (wants) {
    const stored = await getPattern(services, accountId, id);
    if (wants(stored) && (await patterns.delete(accountId, id, stored.version))) return;
    throw new VersionMismatch(`pattern ${id}`);
  }
  if (!(await patterns.delete(accountId, id))) throw new NotFound(`pattern ${id}`);
}

/** Returns a pattern's name without the characters that file systems refuse; its id if it has none. */
export function titleOf({ id, name }: Pick<Pattern, "id" | "name">): string {
  return name?.replace(/[\\/:*?"<>|]/g, " ").trim() || `pattern-${id}`;
}
