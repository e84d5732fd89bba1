import Type from "typebox";
import { NotFound } from "../../actions/errors.ts";
import {
  createExport,
  Export,
  ExportList,
  getExport,
  listExports,
  PrintFields,
  printFacts,
  readExport,
  toExportResponse,
} from "../../actions/exports.ts";
import { Id, PageOf, strict, toPageResponse } from "../../actions/fields.ts";
import { getPattern, titleOf } from "../../actions/patterns.ts";
import { fileResponses, respondWithFile } from "../file-response.ts";
import { route } from "../route.ts";
import { contentDisposition } from "../send-response.ts";

const tag = "Print";
const path = "/api/v1/exports";
const params = Type.Object({ id: Id }, strict);
const mediaTypes = Object.values(printFacts).map(({ mediaType }) => mediaType);

const Download = Type.Object(
  {
    redirect: Type.Boolean({
      default: false,
      description:
        "Whether the response may be a redirect to a URL of the operator's object store, which works without a key for five minutes: follow it without the headers of this request. The service compares a file with its SHA-256 while it sends it; compare what you get by a redirect with `Repr-Digest`. Requests with `Range` or `If-None-Match` are not redirected.",
    }),
  },
  strict,
);

const REDIRECT = {
  description: "With `redirect`: where to download the file, if it is in an object store.",
  headers: {
    Location: "A presigned URL, for five minutes.",
    "Repr-Digest": "SHA-256 of the whole file (RFC 9530).",
  },
};

/** Recommended polling interval in seconds while an export is in progress. */
const AGAIN = { "Retry-After": "2" };

/** Print exports. */
export const exportRoutes = [
  route({
    method: "POST",
    path: "/api/v1/patterns/{id}/export",
    tag,
    operationId: "createExport",
    summary: "Create a print export",
    description:
      "Creates a print file of the pattern as it is now, in millimetres, with a resolution and an sRGB profile. The file is created in the background: `GET /exports/{id}` returns its progress and, from the start, its preflight.",
    auth: "any",
    isIdempotent: true,
    params,
    body: PrintFields,
    examples: {
      "Metres of fabric, as a PDF": {
        width_mm: 1400,
        height_mm: 3000,
        cell_mm: 120,
        dpi: 200,
      },
      "A poster with bleed and crop marks": {
        width_mm: 500,
        height_mm: 700,
        bleed_mm: 3,
        crop_marks: true,
        cell_mm: 80,
        surface_effects: [{ id: "vignette", params: { strength: 0.3 } }],
        dpi: 100,
      },
      "A TIFF for a print workflow": {
        width_mm: 210,
        height_mm: 297,
        dpi: 150,
        format: "tiff",
        compression: "deflate",
      },
    },
    responses: {
      202: {
        description: "The export is queued.",
        schema: Type.Object(
          { export_id: Id, status: Type.Literal("queued") },
          { ...strict, examples: [{ export_id: 3, status: "queued" }] },
        ),
        headers: { Location: "URL of the export." },
      },
    },
    problems: ["conflict", "quota_exceeded"],
    cost: 0,
    async handler({ services, account, params: { id }, body }) {
      const { id: export_id } = await createExport(services, account.id, id, body);
      const Location = `${services.publicUrl}${path}/${export_id}`;
      return { status: 202, json: { export_id, status: "queued" }, headers: { Location } };
    },
  }),
  route({
    method: "GET",
    path,
    tag,
    operationId: "listExports",
    summary: "List your exports",
    auth: "any",
    query: ExportList,
    responses: { 200: { description: "A page of exports.", schema: PageOf(Export) } },
    cost: 0,
    async handler({ services, account, query }) {
      const page = await listExports(services, account.id, query);
      return {
        status: 200,
        json: toPageResponse(page, (row) => toExportResponse(row, services.publicUrl)),
      };
    },
  }),
  route({
    method: "GET",
    path: `${path}/{id}`,
    tag,
    operationId: "getExport",
    summary: "Get an export with its progress and preflight",
    auth: "any",
    params,
    responses: {
      200: {
        description: "The export.",
        schema: Export,
        optionalHeaders: {
          "Retry-After": "While it is not finished: when to ask again, in seconds.",
        },
      },
    },
    cost: 0,
    async handler({ services, account, params: { id } }) {
      const found = await getExport(services, account.id, id);
      const isUnfinished = found.finished_at === null;
      const json = toExportResponse(found, services.publicUrl);
      return { status: 200, json, ...(isUnfinished && { headers: AGAIN }) };
    },
  }),
  route({
    method: "DELETE",
    path: `${path}/{id}`,
    tag,
    operationId: "deleteExport",
    summary: "Delete an export",
    description: "Deletes its file, too; an export in progress is cancelled.",
    auth: "any",
    params,
    responses: { 204: { description: "Deleted." } },
    cost: 0,
    async handler({ services, account, params: { id } }) {
      if (!(await services.db.exports.delete(account.id, id))) throw new NotFound(`export ${id}`);
      return { status: 204 };
    },
  }),
  ...(["HEAD", "GET"] as const).map((method) =>
    route({
      method,
      path: `${path}/{id}/file`,
      tag,
      operationId: method === "GET" ? "getExportFile" : "headExportFile",
      summary: method === "GET" ? "Download a print file" : "Get the headers of a print file",
      description:
        "It never changes: resume an interrupted download with `Range` and its ETag as `If-Range`.",
      auth: "any",
      params,
      query: Download,
      responses: {
        ...fileResponses(method, "The file.", mediaTypes),
        ...(method === "GET" && { 307: REDIRECT }),
      },
      problems: ["conflict"],
      cost: 0,
      async handler({ services, account, params: { id }, query: { redirect }, header }) {
        const found = await getExport(services, account.id, id);
        const file = readExport(services, found);
        const pattern = await getPattern(services, account.id, found.pattern_id);
        const { width_mm, height_mm, format } = found.fields as PrintFields;
        const { extension } = printFacts[format];
        const fileName = `${titleOf(pattern)}-${width_mm}x${height_mm}mm.${extension}`;
        const isWhole = method === "GET" && !header("Range") && !header("If-None-Match");
        const url = redirect && isWhole ? await file.presign(contentDisposition(fileName)) : null;
        if (url !== null) return { status: 307, headers: { Location: url }, sha256: file.sha256 };
        return respondWithFile({ ...file, fileName }, header);
      },
    }),
  ),
];
