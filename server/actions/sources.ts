/** The sources of an account: pictures that patterns are made of. */
import { randomInt } from "node:crypto";
import Type, { type Static } from "typebox";
import {
  type Account,
  Conflict,
  CreditsExhausted,
  type NewSource,
  type Page,
  type Source as SourceRow,
} from "../../db/index.ts";
import { ColoursOrNull, LIMITS, Overloaded, presets } from "../../engine/index.ts";
import { BodyTooLarge, FetcherBusy, Unreachable } from "../outbound/index.ts";
import { ownerOf } from "./accounts.ts";
import { NotFound, requireFound, SourceUnreachable, TooManyBytes } from "./errors.ts";
import { Id, Moment, pageFields, readCursor, strict } from "./fields.ts";
import { readUrl } from "./input.ts";
import type { Services } from "./services.ts";

export const Source = Type.Object(
  {
    id: Id,
    kind: Type.Enum(["preset", "url", "upload"], { description: "Where the picture came from." }),
    preset: Type.Union([Type.String(), Type.Null()], { description: "Name of the preset." }),
    seed: Type.Union([Type.Integer(), Type.Null()], { description: "Seed of the preset." }),
    url: Type.Union([Type.String(), Type.Null()], { description: "Address it was fetched from." }),
    media_type: Type.String({ description: "Kind of picture, found out from its bytes." }),
    width: Type.Integer({ description: "Pixels, after the EXIF orientation has been applied." }),
    height: Type.Integer({ description: "Pixels, after the EXIF orientation has been applied." }),
    has_alpha: Type.Boolean({ description: "Whether it may have transparent places." }),
    sha256: Type.String({ description: "SHA-256 of the bytes that are kept, in hex." }),
    created_at: Moment,
  },
  {
    ...strict,
    description: "A picture that patterns are made of.",
    examples: [
      {
        id: 31,
        kind: "preset",
        preset: "floral",
        seed: 7,
        url: null,
        media_type: "image/png",
        width: 1024,
        height: 1024,
        has_alpha: false,
        sha256: "dbc545b1559fc8d111c35b5ebec18bec3206e4c0b1c232ab41f08815314aff19",
        created_at: "2026-01-31T12:00:00.000Z",
      },
    ],
  },
);
export type Source = Static<typeof Source>;

/** The stored source as it is shown. */
export function showSource(row: SourceRow): Source {
  const { account_id: _, created_at, ...shown } = row;
  return { ...shown, created_at: created_at.toISOString() };
}

/** Where a source comes from; the other fields are read from its bytes. */
export type Origin = Pick<NewSource, "kind" | "preset" | "seed" | "url">;

/**
 * Looks at a picture and stores what is needed of it as a source of the account, charging `cost`
 * credits. Throws SourceUnreadable, SourceTooLarge, CreditsExhausted, QuotaExceeded, Overloaded, and
 * what `signal` aborts with.
 */
async function storeSource(
  { db, engine }: Services,
  accountId: number,
  origin: Origin,
  bytes: Uint8Array,
  cost: number,
  signal: AbortSignal,
): Promise<SourceRow> {
  // How much of the bytes is stored is known only then.
  await db.sources.checkQuotas(accountId, 1, cost);
  const facts = await engine.inspect(bytes, signal, ownerOf(accountId));
  const fields: NewSource = {
    ...origin,
    media_type: facts.mediaType,
    width: facts.width,
    height: facts.height,
    has_alpha: facts.hasAlpha,
    sha256: facts.sha256,
  };
  return db.sources.create(accountId, fields, facts.bytes, cost);
}

/** Bytes of a picture that are taken at most. */
export const SOURCE_BYTES = LIMITS.source.bytes;

/**
 * Stores an uploaded picture as a source of the account, free of charge.
 * Throws TooManyBytes, SourceUnreadable, SourceTooLarge, QuotaExceeded, Overloaded, and
 * what `signal` aborts with.
 */
export async function uploadSource(
  services: Services,
  accountId: number,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<SourceRow> {
  if (bytes.byteLength > SOURCE_BYTES) {
    throw new TooManyBytes("the picture", SOURCE_BYTES);
  }
  const origin = { kind: "upload", preset: null, seed: null, url: null } as const;
  return storeSource(services, accountId, origin, bytes, 0, signal);
}

export const UrlSource = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2000,
      examples: ["https://example.com/leaves.jpg"],
      description:
        "Where the picture lies: an http:// or https:// address without a user name and password, reachable from the public Internet. At most 5 redirects are followed, none from https to http; the whole takes at most 10 seconds.",
    }),
  },
  strict,
);

/**
 * Fetches a picture and stores it as a source of the account, free of charge. Throws InvalidInput
 * at `/url`, SourceUnreachable, TooManyBytes, SourceUnreadable, SourceTooLarge, QuotaExceeded, Overloaded,
 * and what `signal` aborts with.
 */
export async function createUrlSource(
  services: Services,
  accountId: number,
  { url }: Static<typeof UrlSource>,
  signal: AbortSignal,
): Promise<SourceRow> {
  const target = readUrl(url);
  await services.db.sources.checkQuotas(accountId, 0, 0);
  try {
    const bytes = await services.fetcher.fetch(target, { maximumBytes: SOURCE_BYTES, signal });
    const origin = { kind: "url", preset: null, seed: null, url: target.href } as const;
    return await storeSource(services, accountId, origin, bytes, 0, signal);
  } catch (error) {
    throw asFailure(error);
  }
}

/** An error from the way out as what it means for a source; any other as it is. */
function asFailure(error: unknown): unknown {
  if (error instanceof Unreachable) return new SourceUnreachable(error.message, { cause: error });
  if (error instanceof BodyTooLarge) return new TooManyBytes("the picture", SOURCE_BYTES);
  if (error instanceof FetcherBusy) return new Overloaded(error.waiting);
  return error;
}

export const PRESET_COST = 1;

/** Edge of the generated picture in pixels: sharp under a tile of the default size. */
const PRESET_SIZE = 1024;

/** Seeds that are drawn here; short enough to be read out. */
const DRAWN_SEEDS = 2 ** 31;

export const PresetSource = Type.Object(
  {
    preset: Type.Enum(
      presets.map(({ id }) => id),
      { description: "Name of the preset." },
    ),
    seed: Type.Optional(
      Type.Integer({
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
        examples: [7],
        description: "The same seed gives the same picture. Left out, one is drawn by lot.",
      }),
    ),
    palette: ColoursOrNull(
      "Colours to draw with: the name of a palette, or 2 to 16 colours of your own. Left out, the seed decides.",
    ),
  },
  strict,
);

/**
 * Draws a preset and stores it as a source of the account. Throws CreditsExhausted, QuotaExceeded,
 * Overloaded, and what `signal` aborts with.
 */
export async function createPresetSource(
  services: Services,
  account: Account,
  { preset, seed = randomInt(DRAWN_SEEDS), palette }: Static<typeof PresetSource>,
  signal: AbortSignal,
): Promise<SourceRow> {
  // The database has the last word; these only save drawing in vain.
  if (account.credits < PRESET_COST) throw new CreditsExhausted(PRESET_COST);
  await services.db.sources.checkQuotas(account.id, 0, PRESET_COST);
  const owner = ownerOf(account.id);
  const { engine } = services;
  const bytes = await engine.drawPreset(preset, seed, PRESET_SIZE, palette, signal, owner);
  const origin = { kind: "preset", preset, seed, url: null } as const;
  return storeSource(services, account.id, origin, bytes, PRESET_COST, signal);
}

/** One source of the account. Throws NotFound. */
export async function getSource(
  { db }: Services,
  accountId: number,
  id: number,
): Promise<SourceRow> {
  return requireFound(await db.sources.get(accountId, id), `source ${id}`);
}

export const SourceList = Type.Object(pageFields, strict);

/** A page of the account's sources, newest first. Throws InvalidInput for a foreign cursor. */
export async function listSources(
  { db }: Services,
  accountId: number,
  { cursor, limit }: Static<typeof SourceList>,
): Promise<Page<SourceRow>> {
  return db.sources.list(accountId, { ...readCursor(cursor), limit });
}

/** The source was deleted since it was looked up. */
export class SourceMissing extends Error {
  override readonly name = "SourceMissing";
}

/** Returns the bytes of a stored source. Throws SourceMissing. */
export async function readSourceImage(
  { sources }: Pick<Services, "sources">,
  sha256: string,
): Promise<Uint8Array> {
  const bytes = await sources.read(sha256);
  if (!bytes) throw new SourceMissing(`the bytes of source ${sha256} are not stored`);
  return bytes;
}

/** Removes a source of the account. Throws NotFound, and Conflict while a pattern uses it. */
export async function deleteSource({ db }: Services, accountId: number, id: number): Promise<void> {
  if (!(await db.sources.delete(accountId, id))) throw new NotFound(`source ${id}`);
}

/** Sources that are removed in one go at most. */
export const CLEAN_UP_MAXIMUM = 1000;

/**
 * Removes the account's preset sources that no pattern uses, the oldest first; with `isDryRun`
 * nothing happens to them. Gives those that were, or would be, removed.
 */
export async function cleanUpPresets(
  services: Services,
  accountId: number,
  isDryRun: boolean,
): Promise<readonly SourceRow[]> {
  const unused = await services.db.sources.unusedPresets(accountId, CLEAN_UP_MAXIMUM);
  if (isDryRun) return unused;
  const removed: SourceRow[] = [];
  for (const source of unused) {
    try {
      await deleteSource(services, accountId, source.id);
      removed.push(source);
    } catch (error) {
      // A pattern was made of it, or somebody else removed it, in this very moment.
      if (!(error instanceof Conflict || error instanceof NotFound)) throw error;
    }
  }
  return removed;
}
