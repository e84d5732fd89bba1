/** A file for print as its owner sees it. */
import Type, { type Static } from "typebox";
import { EXPORT_STATES, type Export as ExportRow } from "../../../db/index.ts";
import { Certificate, Preflight, PrintFields } from "../../../engine/index.ts";
import { exportExample } from "./export-example.ts";
import { Id, Moment, strict } from "./fields.ts";

const MomentOrNull = Type.Union([Moment, Type.Null()]);

const File = Type.Object(
  {
    url: Type.String({
      format: "uri",
      description: "Where it can be fetched, as a whole or in parts.",
    }),
    media_type: Type.String(),
    bytes: Type.Integer({ description: "Its length." }),
    sha256: Type.String({ description: "SHA-256 of its bytes as they are stored, in hex." }),
  },
  strict,
);

export const Export = Type.Object(
  {
    id: Id,
    pattern_id: Id,
    status: Type.Enum([...EXPORT_STATES], {
      description:
        "`queued`: nobody has begun it. `running`: it is being made. `done`: the file is there. `failed`: it was given up, and `error` says why.",
    }),
    progress: Type.Integer({ minimum: 0, maximum: 100, description: "Percent." }),
    error: Type.Union([Type.String(), Type.Null()], { description: "Why it was given up." }),
    request: PrintFields,
    preflight: Preflight,
    symmetry: Type.Union([Certificate, Type.Null()], {
      description:
        "The certificate of the pattern's symmetry, once it is done; null for aperiodic sheets, which have none.",
    }),
    file: Type.Union([File, Type.Null()], { description: "Null before it is done." }),
    created_at: Moment,
    finished_at: MomentOrNull,
    expires_at: Type.Union([Moment, Type.Null()], {
      description: "When it goes, with its file: 7 days after it was finished.",
    }),
  },
  {
    ...strict,
    description: "A file for print with what is to be known before it is printed.",
    examples: [exportExample],
  },
);
export type Export = Static<typeof Export>;

/** The stored export as it is shown. */
export function showExport(row: ExportRow, publicUrl: string): Export {
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
