/** The sources of an account: images that patterns are made from. */
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
import {
  ColoursOrNull,
  LIMITS,
  Overloaded,
  presets,
  type SourceBytes,
} from "../../engine/index.ts";
import { BodyTooLarge, FetcherBusy, Refused, Unreachable } from "../outbound/index.ts";
import { ownerOf } from "./accounts.ts";
import { NotFound, PayloadTooLarge, requireFound, SourceUnreachable } from "./errors.ts";
import { Id, pageFields, readCursor, SearchText, strict, Timestamp } from "./fields.ts";
import { readUrl } from "./input.ts";
import { measure } from "./measurements.ts";
import type { Services } from "./services.ts";

export const Source = Type.Object(
  {
    id: Id,
    kind: Type.Enum(["preset", "url", "upload"], { description: "Origin of the image." }),
    preset: Type.Union([Type.String(), Type.Null()], { description: "Name of the preset." }),
    seed: Type.Union([Type.Integer(), Type.Null()], { description: "Seed of the preset." }),
    url: Type.Union([Type.String(), Type.Null()], { description: "URL it was fetched from." }),
    media_type: Type.String({ description: "Media type, detected from the bytes." }),
    width: Type.Integer({ description: "Pixels, after applying the EXIF orientation." }),
    height: Type.Integer({ description: "Pixels, after applying the EXIF orientation." }),
    has_alpha: Type.Boolean({ description: "Whether it may have transparent pixels." }),
    sha256: Type.String({ description: "SHA-256 of the stored bytes, in hex." }),
    created_at: Timestamp,
  },
  {
    ...strict,
    description: "An image that patterns are made from.",
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

/** Returns a source as the API represents it. */
export function toSourceResponse(row: SourceRow): Source {
  const { account_id: _, created_at, ...shown } = row;
  return { ...shown, created_at: created_at.toISOString() };
}

/** Origin of a source; the other fields are read from its bytes. */
export type Origin = Pick<NewSource, "kind" | "preset" | "seed" | "url">;

/**
 * Inspects an image and stores it as a source, charging `cost` credits. Throws SourceUnreadable,
 * SourceTooLarge, CreditsExhausted, QuotaExceeded, Overloaded, and the reason of `signal`.
 */
async function storeSource(
  { db, engine, sources }: Services,
  accountId: number,
  origin: Origin,
  bytes: Uint8Array,
  cost: number,
  signal: AbortSignal,
): Promise<SourceRow> {
  // The stored size is known only after inspection.
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
  // Storing 12 megapixels and decoding them take a tenth of a second each: do both at once.
  engine.prepare(facts, ownerOf(accountId));
  const row = await db.sources.create(accountId, fields, facts.bytes, cost);
  if (cost > 0) measure("credits", { reason: "source", amount: cost });
  sources.keep(facts.sha256, facts.bytes);
  return row;
}

/** Maximum bytes of an image. */
export const SOURCE_BYTES = LIMITS.source.bytes;

/**
 * Stores an uploaded image as a source, free of charge. Throws PayloadTooLarge, SourceUnreadable,
 * SourceTooLarge, QuotaExceeded, Overloaded, and the reason of `signal`.
 */
export async function uploadSource(
  services: Services,
  accountId: number,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<SourceRow> {
  if (bytes.byteLength > SOURCE_BYTES) {
    throw new PayloadTooLarge("the picture", SOURCE_BYTES);
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
        "An http:// or https:// URL without credentials, reachable from the public Internet. At most 5 redirects are followed, none from https to http, within 10 seconds in total.",
    }),
  },
  strict,
);

/**
 * Fetches an image and stores it as a source, free of charge. Throws InvalidInput at `/url`,
 * SourceUnreachable, PayloadTooLarge, SourceUnreadable, SourceTooLarge, QuotaExceeded, Overloaded, and
 * the reason of `signal`.
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
    const fetching = services.fetcher.fetch(target, { maximumBytes: SOURCE_BYTES, signal });
    fetching.then(
      () => measure("fetch", { result: "success" }),
      (error) => measure("fetch", { result: error instanceof Refused ? "refused" : "failure" }),
    );
    const bytes = await fetching;
    const origin = { kind: "url", preset: null, seed: null, url: target.href } as const;
    return await storeSource(services, accountId, origin, bytes, 0, signal);
  } catch (error) {
    throw toSourceError(error);
  }
}

/** Converts errors of the fetcher; returns others unchanged. */
function toSourceError(error: unknown): unknown {
  if (error instanceof Unreachable) return new SourceUnreachable(error.message, { cause: error });
  if (error instanceof BodyTooLarge) return new PayloadTooLarge("the picture", SOURCE_BYTES);
  if (error instanceof FetcherBusy) return new Overloaded(error.waiting);
  return error;
}

export const PRESET_COST = 1;

/** Edge of a generated image in pixels: sharp in a tile of the default size. */
const PRESET_SIZE = 1024;

/** Range of random seeds: short enough to read aloud. */
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
        description: "The same seed returns the same image. Default: random.",
      }),
    ),
    palette: ColoursOrNull(
      "Colours to draw with: the name of a palette, or 2 to 16 colours of your own. Default: derived from the seed.",
    ),
  },
  strict,
);

/**
 * Renders a preset and stores it as a source. Throws CreditsExhausted, QuotaExceeded, Overloaded,
 * and the reason of `signal`.
 */
export async function createPresetSource(
  services: Services,
  account: Account,
  { preset, seed = randomInt(DRAWN_SEEDS), palette }: Static<typeof PresetSource>,
  signal: AbortSignal,
): Promise<SourceRow> {
  // The database decides; these only avoid useless rendering.
  if (account.credits < PRESET_COST) throw new CreditsExhausted(PRESET_COST);
  await services.db.sources.checkQuotas(account.id, 0, PRESET_COST);
  const owner = ownerOf(account.id);
  const { engine } = services;
  const bytes = await engine.drawPreset(preset, seed, PRESET_SIZE, palette, signal, owner);
  const origin = { kind: "preset", preset, seed, url: null } as const;
  return storeSource(services, account.id, origin, bytes, PRESET_COST, signal);
}

/** Returns a source. Throws NotFound. */
export async function getSource(
  { db }: Services,
  accountId: number,
  id: number,
): Promise<SourceRow> {
  return requireFound(await db.sources.get(accountId, id), `source ${id}`);
}

export const SourceList = Type.Object(
  {
    ...pageFields,
    search: Type.Optional(SearchText("A part of the preset's name or of the URL, or the id.")),
  },
  strict,
);

/**
 * Returns a page of the account's sources, newest first. Throws InvalidInput for an invalid cursor.
 */
export async function listSources(
  { db }: Services,
  accountId: number,
  { cursor, limit, search }: Static<typeof SourceList>,
): Promise<Page<SourceRow>> {
  return db.sources.list(accountId, { ...readCursor(cursor), limit }, search);
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

/** Returns a source of the account with its bytes. Throws NotFound, SourceMissing. */
export async function sourceBytesOf(
  services: Services,
  accountId: number,
  id: number,
): Promise<SourceBytes> {
  const { sha256 } = await getSource(services, accountId, id);
  return { sha256, bytes: await readSourceImage(services, sha256) };
}

/** Deletes a source. Throws NotFound, and Conflict while a pattern uses it. */
export async function deleteSource({ db }: Services, accountId: number, id: number): Promise<void> {
  if (!(await db.sources.delete(accountId, id))) throw new NotFound(`source ${id}`);
}

/** Maximum number of sources that are deleted at once. */
export const MAX_CLEAN_UP = 1000;

/**
 * Deletes the account's preset sources that no pattern uses, the oldest first; with `isDryRun` only
 * finds them. Returns these sources.
 */
export async function cleanUpPresets(
  services: Services,
  accountId: number,
  isDryRun: boolean,
): Promise<readonly SourceRow[]> {
  const unused = await services.db.sources.unusedPresets(accountId, MAX_CLEAN_UP);
  if (isDryRun) return unused;
  const removed: SourceRow[] = [];
  for (const source of unused) {
    try {
      await deleteSource(services, accountId, source.id);
      removed.push(source);
    } catch (error) {
      // A concurrent request used or deleted it.
      if (!(error instanceof Conflict || error instanceof NotFound)) throw error;
    }
  }
  return removed;
}
