/** Print exports. */
import Type, { type Static } from "typebox";
import { Value } from "typebox/value";
import { Conflict, EXPORT_STATES, type Export as ExportRow, type Page } from "../../db/index.ts";
import {
  Certificate,
  checkPrint,
  Preflight,
  PrintFields,
  plainDesign,
  preflight,
  printFacts,
} from "../../engine/index.ts";
import { NotReady, requireFound } from "./errors.ts";
import { Id, pageFields, readCursor, strict, Timestamp } from "./fields.ts";
import { getStoredPattern } from "./patterns.ts";
import type { Services } from "./services.ts";

const request = Value.Default(PrintFields, {
  width_mm: 500,
  height_mm: 700,
  bleed_mm: 3,
  crop_marks: true,
  mode: "aperiodic",
  cell_mm: 40,
}) as PrintFields;

const source = { width: 2400, height: 1600, hasAlpha: false };

const exportExample = {
  id: 3,
  pattern_id: 12,
  status: "done",
  progress: 100,
  error: null,
  request,
  preflight: preflight(plainDesign("p4"), source, request),
  symmetry: null,
  file: {
    url: "https://patterns.example/api/v1/exports/3/file",
    media_type: "application/pdf",
    bytes: 41_873_992,
    sha256: "dbc545b1559fc8d111c35b5ebec18bec3206e4c0b1c232ab41f08815314aff19",
  },
  created_at: "2026-01-31T12:00:00.000Z",
  finished_at: "2026-01-31T12:00:21.000Z",
  expires_at: "2026-02-07T12:00:21.000Z",
};

const TimestampOrNull = Type.Union([Timestamp, Type.Null()]);

const File = Type.Object(
  {
    url: Type.String({
      format: "uri",
      description: "Where to download it; supports range requests.",
    }),
    media_type: Type.String(),
    bytes: Type.Integer({ description: "Length." }),
    sha256: Type.String({ description: "SHA-256 of the stored bytes, in hex." }),
  },
  strict,
);

export const Export = Type.Object(
  {
    id: Id,
    pattern_id: Id,
    status: Type.Enum([...EXPORT_STATES], {
      description:
        "`queued`: not started. `running`: in progress. `done`: the file is available. `failed`: `error` says why.",
    }),
    progress: Type.Integer({ minimum: 0, maximum: 100, description: "Percent." }),
    error: Type.Union([Type.String(), Type.Null()], { description: "Why it failed." }),
    request: PrintFields,
    preflight: Preflight,
    symmetry: Type.Union([Certificate, Type.Null()], {
      description:
        "The certificate of the pattern's symmetry, once available; null for aperiodic surfaces, friezes and rosettes, which have none.",
    }),
    file: Type.Union([File, Type.Null()], { description: "Null until the export is done." }),
    created_at: Timestamp,
    finished_at: TimestampOrNull,
    expires_at: Type.Union([Timestamp, Type.Null()], {
      description:
        "When the export and its file are deleted: 7 days after it finished, unless the operator chose another time.",
    }),
  },
  {
    ...strict,
    description: "A print file with its preflight.",
    examples: [exportExample],
  },
);
export type Export = Static<typeof Export>;

/** Returns an export as the API represents it. */
export function toExportResponse(row: ExportRow, publicUrl: string): Export {
  const { id, pattern_id, status, progress, error, bytes, sha256, media_type } = row;
  return {
    id,
    pattern_id,
    status,
    progress,
    error,
    request: row.fields as PrintFields,
    preflight: row.preflight as Preflight,
    symmetry: row.certificate as Certificate | null,
    file:
      bytes === null || sha256 === null
        ? null
        : { url: `${publicUrl}/api/v1/exports/${id}/file`, media_type, bytes, sha256 },
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
  };
}

export { PrintFields, printFacts } from "../../engine/index.ts";

/** Maximum number of an account's unfinished exports. */
const MAX_UNFINISHED = 20;

/** Bytes of a file beside its pixels: profile, metadata, structure. */
const FRAME_BYTES = 2 ** 16;

/**
 * Estimates the bytes of an unfinished file: uncompressed pixels for lossless formats without
 * repetition, otherwise a byte for each pixel.
 */
function estimateBytes({ pixels, raster, repeats }: Preflight, { format }: PrintFields): number {
  const isCompressed = format === "jpeg" || (repeats && raster === "sheet");
  return pixels.width * pixels.height * (isCompressed ? 1 : 4) + FRAME_BYTES;
}

/**
 * Creates an export of a pattern as it is now. Throws NotFound, InvalidRecipe, QuotaExceeded, and
 * Conflict if too many are unfinished.
 */
export async function createExport(
  services: Services,
  accountId: number,
  patternId: number,
  fields: PrintFields,
): Promise<ExportRow> {
  const { design, source } = await getStoredPattern(services, accountId, patternId);
  checkPrint(design, fields);
  const size = { width: source.width, height: source.height, hasAlpha: source.has_alpha };
  const report = preflight(design, size, fields);
  return requireFound(
    await services.db.exports.create(
      accountId,
      {
        pattern_id: patternId,
        design,
        source_sha256: source.sha256,
        fields,
        preflight: report,
        media_type: printFacts[fields.format].mediaType,
      },
      {
        estimatedBytes: estimateBytes(report, fields),
        unfinishedAtMost: MAX_UNFINISHED,
      },
    ),
    `pattern ${patternId}`,
  );
}

/** Returns an export. Throws NotFound. */
export async function getExport(
  { db }: Services,
  accountId: number,
  id: number,
): Promise<ExportRow> {
  return requireFound(await db.exports.get(accountId, id), `export ${id}`);
}

export const ExportList = Type.Object({ ...pageFields, pattern_id: Type.Optional(Id) }, strict);

/**
 * Returns a page of the account's exports, newest first. Throws InvalidInput for an invalid cursor.
 */
export async function listExports(
  { db }: Services,
  accountId: number,
  { cursor, ...filter }: Static<typeof ExportList>,
): Promise<Page<ExportRow>> {
  return db.exports.list(accountId, { ...readCursor(cursor), ...filter });
}

/** A finished print file. */
export interface ExportFile {
  readonly mediaType: string;
  /** Bytes. */
  readonly length: number;
  /** In hex. */
  readonly sha256: string;
  /** Reads bytes `start` to `end`, inclusive. Throws if the export is deleted meanwhile. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
  /** A URL of the object store, by which anyone downloads the file for a while; null if it is not there. */
  presign(contentDisposition: string): Promise<string | null>;
}

/** Returns the file of an export. Throws NotReady before it is done, Conflict if it failed. */
export function readExport({ db }: Services, made: ExportRow): ExportFile {
  const { id, status, bytes, sha256, error, media_type: mediaType } = made;
  if (status === "failed") throw new Conflict(`export ${id} has failed: ${error}`);
  if (bytes === null || sha256 === null) throw new NotReady(`export ${id} is not done yet`);
  return {
    mediaType,
    length: bytes,
    sha256,
    read: (start, end) => db.exports.read(id, start, end),
    presign: (contentDisposition) =>
      db.exports.presign(id, { contentType: mediaType, contentDisposition }),
  };
}
