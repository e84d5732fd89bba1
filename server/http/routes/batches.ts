import { createHash } from "node:crypto";
import Type from "typebox";
import {
  Batch,
  BatchItem,
  batchUrl,
  MAX_ITEMS,
  NewBatch,
  toBatchResponse,
  toItemResponse,
} from "../../actions/batch-fields.ts";
import { drawContactSheet, openItem } from "../../actions/batch-pictures.ts";
import {
  BatchList,
  cancelBatch,
  createBatch,
  getBatch,
  ItemList,
  listBatches,
  listItems,
  manifestOf,
} from "../../actions/batches.ts";
import { NotFound } from "../../actions/errors.ts";
import { Id, PageOf, strict, toPageResponse } from "../../actions/fields.ts";
import { NDJSON_TYPE } from "../body/ndjson.ts";
import { fileResponses, respondWithFile, STALL_TIMEOUT_MS } from "../file-response.ts";
import { conditionalResponses, documentedPicture, respondWithRender } from "../render-response.ts";
import { route } from "../route.ts";

const tag = "Batches";
const path = "/api/v1/batches";
const params = Type.Object({ id: Id }, strict);
const itemParams = Type.Object(
  { id: Id, index: Type.Integer({ minimum: 0, maximum: MAX_ITEMS - 1, examples: [17] }) },
  strict,
);

/** Recommended polling interval in seconds while a batch is in progress. */
const AGAIN = { "Retry-After": "2" };

/** Ten thousand items, each with some colours or effects. */
const LINES_BYTES = 8 * 1024 * 1024;

/** Renders of many patterns. */
export const batchRoutes = [
  route({
    method: "POST",
    path,
    tag,
    operationId: "createBatch",
    summary: "Create a batch of renders",
    description: `Renders up to ${MAX_ITEMS} pictures of your patterns as they are now, in the background: all combinations of a product, or the items of a list. A list may also be sent as \`application/x-ndjson\`, an item on each line; JSON has at most 5000 members. An item that cannot be rendered gets an error and fails alone. The event \`batch.ready\` is sent when all are done. The pictures are not stored: \`GET /batches/{id}/items/{index}\` renders them again if they are no longer cached, always with the bytes of the manifest's hash.`,
    auth: "any",
    isIdempotent: true,
    body: NewBatch,
    lines: { field: "items", maximum: MAX_ITEMS, maximumBytes: LINES_BYTES },
    examples: {
      "Two patterns in three palettes": {
        name: "Spring collection",
        product: {
          pattern_ids: [12, 13],
          palettes: [null, "lagoon", ["#1d3557", "#f1faee", "#e63946"]],
          sizes: [512],
          formats: ["png"],
        },
      },
      "Items of different kinds": {
        items: [
          { pattern_id: 12, size: 256 },
          { pattern_id: 12, group: "p6m", size: 256, format: "webp" },
        ],
      },
    },
    responses: {
      202: {
        description: "The batch is queued.",
        schema: Batch,
        headers: { Location: "URL of the batch." },
      },
    },
    problems: ["quota_exceeded"],
    cost: 0,
    async handler({ services, account, body }) {
      const batch = await createBatch(services, account.id, body);
      const headers = { Location: batchUrl(services.publicUrl, batch.id) };
      return { status: 202, json: toBatchResponse(batch, services.publicUrl), headers };
    },
  }),
  route({
    method: "GET",
    path,
    tag,
    operationId: "listBatches",
    summary: "List your batches",
    auth: "any",
    query: BatchList,
    responses: { 200: { description: "A page of batches.", schema: PageOf(Batch) } },
    cost: 0,
    async handler({ services, account, query }) {
      const page = await listBatches(services, account.id, query);
      const json = toPageResponse(page, (row) => toBatchResponse(row, services.publicUrl));
      return { status: 200, json };
    },
  }),
  route({
    method: "GET",
    path: `${path}/{id}`,
    tag,
    operationId: "getBatch",
    summary: "Get a batch with its progress",
    auth: "any",
    params,
    responses: {
      200: {
        description: "The batch.",
        schema: Batch,
        optionalHeaders: {
          "Retry-After": "While it is not finished: when to ask again, in seconds.",
        },
      },
    },
    cost: 0,
    async handler({ services, account, params: { id } }) {
      const found = await getBatch(services, account.id, id);
      const json = toBatchResponse(found, services.publicUrl);
      return { status: 200, json, ...(found.finished_at === null && { headers: AGAIN }) };
    },
  }),
  route({
    method: "POST",
    path: `${path}/{id}/cancel`,
    tag,
    operationId: "cancelBatch",
    summary: "Cancel a batch",
    description:
      "Renders nothing more of it and sends no event. What is rendered stays until the batch is deleted. A batch that has ended stays as it is.",
    auth: "any",
    params,
    responses: { 200: { description: "The batch as it is then.", schema: Batch } },
    cost: 0,
    async handler({ services, account, params: { id } }) {
      const batch = await cancelBatch(services, account.id, id);
      return { status: 200, json: toBatchResponse(batch, services.publicUrl) };
    },
  }),
  route({
    method: "DELETE",
    path: `${path}/{id}`,
    tag,
    operationId: "deleteBatch",
    summary: "Delete a batch",
    description: "Deletes its items, too; a batch in progress is cancelled.",
    auth: "any",
    params,
    responses: { 204: { description: "Deleted." } },
    cost: 0,
    async handler({ services, account, params: { id } }) {
      if (!(await services.db.batches.delete(account.id, id))) throw new NotFound(`batch ${id}`);
      return { status: 204 };
    },
  }),
  route({
    method: "GET",
    path: `${path}/{id}/items`,
    tag,
    operationId: "listBatchItems",
    summary: "List the items of a batch",
    auth: "any",
    params,
    query: ItemList,
    responses: {
      200: { description: "A page of items, in their order.", schema: PageOf(BatchItem) },
    },
    cost: 0,
    async handler({ services, account, params: { id }, query }) {
      const page = await listItems(services, account.id, id, query);
      const json = toPageResponse(page, (row) => toItemResponse(row, id, services.publicUrl));
      return { status: 200, json };
    },
  }),
  route({
    method: "GET",
    path: `${path}/{id}/manifest`,
    tag,
    operationId: "getBatchManifest",
    summary: "Get the manifest of a batch",
    description:
      "All items in their order, one on each line, as `GET /batches/{id}/items` returns them: with length, SHA-256 and URL of each picture, or the error.",
    auth: "any",
    params,
    responses: { 200: { description: "The manifest, as NDJSON.", mediaTypes: [NDJSON_TYPE] } },
    cost: 0,
    async handler({ services, account, params: { id } }) {
      const { total } = await getBatch(services, account.id, id);
      return {
        status: 200,
        fileName: `batch-${id}.ndjson`,
        headers: { "Content-Type": NDJSON_TYPE },
        stream: manifestOf(services, account.id, id, total),
        stallTimeoutMs: STALL_TIMEOUT_MS,
      };
    },
  }),
  route({
    method: "GET",
    path: `${path}/{id}/contact-sheet`,
    tag,
    operationId: "getBatchContactSheet",
    summary: "Get a contact sheet of a batch",
    description:
      "A JPEG of small pictures of the first 100 items, in up to ten columns, row by row. Items without a picture are grey.",
    auth: "any",
    params,
    responses: fileResponses("GET", "The contact sheet.", ["image/jpeg"]),
    problems: ["overloaded", "render_timeout"],
    cost: 0,
    async handler({ services, account, params: { id }, header, signal }) {
      const sheet = await drawContactSheet(services, account.id, id, signal);
      const file = {
        mediaType: "image/jpeg",
        fileName: `batch-${id}.jpg`,
        length: sheet.byteLength,
        sha256: createHash("sha256").update(sheet).digest("hex"),
        async *read(start: number, end: number) {
          yield sheet.subarray(start, end + 1);
        },
      };
      return respondWithFile(file, header);
    },
  }),
  ...(["HEAD", "GET"] as const).map((method) =>
    route({
      method,
      path: `${path}/{id}/items/{index}`,
      tag,
      operationId: method === "GET" ? "getBatchPicture" : "headBatchPicture",
      summary: method === "GET" ? "Get an item's picture" : "Get the headers of an item's picture",
      description:
        "Always the same bytes: from the cache, or rendered again. 410 if the source was deleted, or if this version of the service would render other bytes and the picture is no longer cached.",
      auth: "any",
      params: itemParams,
      responses: { 200: documentedPicture, ...conditionalResponses(method) },
      problems: ["conflict", "gone", "overloaded", "render_timeout"],
      cost: 0,
      async handler({ services, account, params: { id, index }, header, signal }) {
        const place = { accountId: account.id, batchId: id, index };
        const { plan, cached, render } = await openItem(services, place, signal);
        const { renderTimeoutMs: stallTimeoutMs } = services;
        return respondWithRender(plan, { method, header, stallTimeoutMs, cached, render });
      },
    }),
  ),
];
