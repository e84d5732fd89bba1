/** Batches: many renders that are ordered together. */
import Type, { type Static } from "typebox";
import { Value } from "typebox/value";
import {
  BATCH_ITEM_STATES,
  type Batch as BatchRow,
  type BatchItem as ItemRow,
  type Page,
} from "../../db/index.ts";
import {
  type BatchProduct,
  BatchRequest,
  MAX_ITEMS,
  type NewBatch,
  toItemResponse,
} from "./batch-fields.ts";
import { InvalidInput, requireFound, type ValidationIssue } from "./errors.ts";
import { pageFields, readCursor, strict } from "./fields.ts";
import { mapInSlices } from "./in-slices.ts";
import { inputCheck } from "./input.ts";
import { readGroup } from "./pattern-fields.ts";
import type { Services } from "./services.ts";

const checkFields = inputCheck(BatchRequest, { fillDefaults: false });

const DEFAULTS = Value.Default(BatchRequest, {}) as object;

/** Returns an item with its defaults, ten times as fast as TypeBox where none lies deeper. */
function withDefaults(item: object): unknown {
  const isFlat = Object.values(item).every(
    (value) => typeof value !== "object" || value === null || Array.isArray(value),
  );
  return isFlat ? { ...DEFAULTS, ...item } : Value.Default(BatchRequest, item);
}

function checkRequest(item: object): BatchRequest {
  const request = checkFields(withDefaults(item));
  if (request.group !== undefined) readGroup(request.group);
  return request;
}

/** Invalid items after which the others are not checked. */
const MAX_INVALID = 20;

/**
 * Creates a batch of the account's patterns as they are now. Throws InvalidInput for items that are not as
 * documented and for too many, and QuotaExceeded. What fails later fails the item alone.
 */
export async function createBatch(
  { db }: Services,
  accountId: number,
  { name, product, items }: NewBatch,
): Promise<BatchRow> {
  if ((product === undefined) === (items === undefined)) {
    const given = product === undefined ? "neither" : "both";
    const expected = "either a product or items";
    const message = `expected ${expected}, got ${given}`;
    throw new InvalidInput([{ path: "/items", message, expected, received: given }]);
  }
  const requests = product ? productRequests(product) : await checkedRequests(items ?? []);
  return db.batches.create(accountId, name, requests);
}

async function checkedRequests(items: readonly object[]): Promise<BatchRequest[]> {
  const issues: ValidationIssue[] = [];
  let invalid = 0;
  const checked = await mapInSlices(items, (item, index) => {
    if (invalid === MAX_INVALID) return [];
    try {
      return [checkRequest(item)];
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      invalid++;
      issues.push(
        ...error.issues.map((issue) => ({ ...issue, path: `/items/${index}${issue.path}` })),
      );
      return [];
    }
  });
  if (issues.length > 0) throw new InvalidInput(issues);
  return checked.flat();
}

/** Returns an item for each combination. Throws InvalidInput where there are too many, and for an unknown group. */
function productRequests(product: BatchProduct): BatchRequest[] {
  const { pattern_ids, sizes, formats, render } = product;
  for (const [n, group] of product.groups?.entries() ?? [])
    readGroup(group, `/product/groups/${n}`);
  // An omitted field keeps what the pattern has.
  const palettes = product.palettes?.map((palette) => ({ palette })) ?? [{}];
  const groups = product.groups?.map((group) => ({ group })) ?? [{}];
  const counts = [pattern_ids, palettes, groups, sizes, formats].map(({ length }) => length);
  const total = counts.reduce((product, count) => product * count);
  if (total > MAX_ITEMS) {
    const expected = `at most ${MAX_ITEMS} items`;
    const received = `${counts.join(" × ")} = ${total}`;
    const message = `is too large: expected ${expected}, got ${received}`;
    throw new InvalidInput([{ path: "/product", message, expected, received }]);
  }
  return pattern_ids.flatMap((pattern_id) =>
    palettes.flatMap((palette) =>
      groups.flatMap((group) =>
        sizes.flatMap((size) =>
          formats.map((format) => ({ pattern_id, ...group, ...palette, ...render, size, format })),
        ),
      ),
    ),
  );
}

/** Returns a batch. Throws NotFound. */
export async function getBatch(
  { db }: Pick<Services, "db">,
  accountId: number,
  id: number,
): Promise<BatchRow> {
  return requireFound(await db.batches.get(accountId, id), `batch ${id}`);
}

export const BatchList = Type.Object(pageFields, strict);

/** Returns a page of the account's batches, newest first. Throws InvalidInput for an invalid cursor. */
export async function listBatches(
  { db }: Services,
  accountId: number,
  { cursor, limit }: Static<typeof BatchList>,
): Promise<Page<BatchRow>> {
  return db.batches.list(accountId, { ...readCursor(cursor), limit });
}

export const ItemList = Type.Object(
  { ...pageFields, status: Type.Optional(Type.Enum([...BATCH_ITEM_STATES])) },
  strict,
);

/** Returns a page of a batch's items, in their order. Throws NotFound, InvalidInput for an invalid cursor. */
export async function listItems(
  services: Services,
  accountId: number,
  id: number,
  { cursor, limit, status }: Static<typeof ItemList>,
): Promise<Page<ItemRow>> {
  await getBatch(services, accountId, id);
  const { before = 0 } = readCursor(cursor);
  const from = Math.min(before, MAX_ITEMS);
  return services.db.batches.items(accountId, id, { from, limit, ...(status && { status }) });
}

/** Items of a manifest that are read at once. */
const MANIFEST_ROWS = 500;

/** Returns all items of a batch as NDJSON, in their order. Throws if the batch is deleted meanwhile. */
export async function* manifestOf(
  { db, publicUrl }: Services,
  accountId: number,
  id: number,
  total: number,
): AsyncGenerator<Uint8Array> {
  let count = 0;
  for (let from: number | null = 0; from !== null; ) {
    const { rows, next }: Page<ItemRow> = await db.batches.items(accountId, id, {
      from,
      limit: MANIFEST_ROWS,
    });
    const lines = rows.map((row) => `${JSON.stringify(toItemResponse(row, id, publicUrl))}\n`);
    yield Buffer.from(lines.join(""));
    count += rows.length;
    from = next;
  }
  if (count < total) throw new Error(`batch ${id} lost items while they were listed`);
}

/** Cancels a batch: what is rendered stays. Returns the batch, which may have finished before. Throws NotFound. */
export async function cancelBatch(
  { db }: Services,
  accountId: number,
  id: number,
): Promise<BatchRow> {
  return requireFound(await db.batches.cancel(accountId, id), `batch ${id}`);
}
