/** Mockups: images of products that show a pattern. */
import PQueue from "p-queue";
import Type, { type Static } from "typebox";
import {
  Conflict,
  type Job,
  MOCKUP_STATES,
  type Mockup as MockupRow,
  type Pattern,
  type Source,
} from "../../db/index.ts";
import { MOCKUP_CELL, products } from "../../engine/index.ts";
import { ownerOf } from "./accounts.ts";
import { NotReady, requireFound } from "./errors.ts";
import { Id, strict, Timestamp } from "./fields.ts";
import {
  hadToWait,
  INTERNAL_ERROR_MESSAGE,
  MAX_FAILURES,
  permanentFailureReason,
} from "./job-failure.ts";
import type { JobResult } from "./log.ts";
import { designOf } from "./pattern-fields.ts";
import type { Services } from "./services.ts";
import { readSourceImage } from "./sources.ts";

/** The engine encodes mockups as JPEG. */
export const MOCKUP_MEDIA_TYPE = "image/jpeg";

export const ProductId = Type.Enum(
  products.map(({ id }) => id),
  { description: "Id of a product." },
);

export const Mockup = Type.Object(
  {
    id: Id,
    pattern_id: Id,
    product: ProductId,
    cell_mm: Type.Number({
      description: "Edge of the pattern's cell on the product, in millimetres.",
    }),
    status: Type.Enum([...MOCKUP_STATES], {
      description:
        "`queued`: waiting or in progress. `done`: the image is available. `failed`: `error` says why.",
    }),
    error: Type.Union([Type.String(), Type.Null()], { description: "Why it failed." }),
    image_url: Type.Union([Type.String({ format: "uri" }), Type.Null()], {
      description:
        "URL of the image; null until there is one. While it is replaced, the previous one.",
    }),
    created_at: Timestamp,
    finished_at: Type.Union([Timestamp, Type.Null()]),
  },
  {
    ...strict,
    description: "An image of a product that shows a pattern.",
    examples: [
      {
        id: 8,
        pattern_id: 12,
        product: "mug",
        cell_mm: 40,
        status: "done",
        error: null,
        image_url: "https://patterns.example/api/v1/mockups/8/image",
        created_at: "2026-01-31T12:00:00.000Z",
        finished_at: "2026-01-31T12:00:05.000Z",
      },
    ],
  },
);
export type Mockup = Static<typeof Mockup>;

/** Returns a mockup as the API represents it. */
export function toMockupResponse(row: MockupRow, publicUrl: string): Mockup {
  const { account_id: _, batch: __, sha256, created_at, finished_at, ...shown } = row;
  return {
    ...shown,
    image_url: sha256 === null ? null : imageUrl(row.id, publicUrl),
    created_at: created_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  };
}

/** Returns the URL of a mockup's image. */
const imageUrl = (id: number, publicUrl: string) => `${publicUrl}/api/v1/mockups/${id}/image`;

export const NewMockups = Type.Object(
  {
    products: Type.Optional(
      Type.Array(ProductId, {
        minItems: 1,
        maxItems: products.length,
        uniqueItems: true,
        description: "Products to show the pattern on; default: all.",
      }),
    ),
    cell_mm: Type.Optional(
      Type.Number({
        ...MOCKUP_CELL,
        description: "Edge of the pattern's cell in millimetres; default: a size for each product.",
      }),
    ),
  },
  strict,
);

/** Estimated bytes of an unfinished mockup: above those of a JPEG of 1600 × 1600 pixels. */
const ESTIMATED_BYTES = 2 ** 20;

/** Creates mockups of a pattern; existing ones are replaced. Throws NotFound, QuotaExceeded. */
export async function orderMockups(
  { db }: Services,
  accountId: number,
  patternId: number,
  { products: wanted, cell_mm }: Static<typeof NewMockups>,
): Promise<readonly MockupRow[]> {
  const chosen = products
    .filter(({ id }) => wanted?.includes(id) ?? true)
    .map(({ id, cell }) => ({ product: id, cell_mm: cell_mm ?? cell }));
  return requireFound(
    await db.mockups.order(accountId, patternId, chosen, ESTIMATED_BYTES),
    `pattern ${patternId}`,
  );
}

/** Returns the mockups of a pattern, by product. Throws NotFound. */
export async function listMockups(
  { db }: Services,
  accountId: number,
  patternId: number,
): Promise<readonly MockupRow[]> {
  return requireFound(await db.mockups.list(accountId, patternId), `pattern ${patternId}`);
}

/** Returns a mockup. Throws NotFound. */
export async function getMockup(
  { db }: Services,
  accountId: number,
  id: number,
): Promise<MockupRow> {
  return requireFound(await db.mockups.get(accountId, id), `mockup ${id}`);
}

/**
 * Returns a mockup's image as a JPEG, with its SHA-256 in hex. Throws NotReady before it is done,
 * Conflict if it failed.
 */
export async function readMockup(
  { db }: Services,
  { account_id, id, error }: MockupRow,
): Promise<{ readonly image: Uint8Array; readonly sha256: string }> {
  const drawn = await db.mockups.image(account_id, id);
  if (drawn) return drawn;
  if (error !== null) throw new Conflict(`mockup ${id} has failed: ${error}`);
  throw new NotReady(`mockup ${id} is not drawn yet`);
}

/**
 * Mockups of a batch that are rendered concurrently, so that other callers' renders get a share.
 */
const AT_ONCE = 2;

/**
 * Number of tries of a batch, including restarts and full queues, after which an internal error is
 * the last.
 */
const TRIES = 4 * MAX_FAILURES;

type RequiredServices = Pick<Services, "db" | "engine" | "sources" | "publicUrl">;

/**
 * Renders the unfinished mockups of the job's batch and, with the end of the job, records the event
 * `mockup.ready`. Errors of the pattern's source fail the mockups; internal errors are thrown and
 * retried. Mockups that were replaced meanwhile belong to another batch. Returns the numbers of
 * rendered and failed mockups for the log.
 */
export async function drawMockups(
  services: RequiredServices,
  job: Job<"draw_mockups">,
): Promise<JobResult | null> {
  const { account_id, pattern_id, batch } = job.data;
  const { mockups, patterns, sources } = services.db;
  const pattern = await patterns.get(account_id, pattern_id);
  const source = pattern && (await sources.get(account_id, pattern.source_id));
  // Deleting a pattern deletes its mockups.
  if (!pattern || !source) return null;
  const picture = readPicture(services, source);
  // All mockups may have been rendered already.
  picture.catch(() => undefined);
  const waiting = (await mockups.ofBatch(batch)).filter(({ status }) => status === "queued");
  if (waiting.length > 0) await mockups.checkWritable(job.signal);
  // A few at a time, so that other callers get a share.
  const queue = new PQueue({ concurrency: AT_ONCE });
  await queue.addAll(
    waiting.map((mockup) => async () => {
      if (!(await mockups.isWanted(batch, mockup.id))) return;
      const outcome = await draw(services, { pattern, picture, mockup, job });
      await mockups.settle(batch, mockup.id, outcome);
    }),
  );

  const drawn = await mockups.ofBatch(batch);
  const ready = drawn.filter(({ status }) => status === "done");
  const failed = drawn.length - ready.length;
  const counts = { status: failed > 0 ? "failed" : "done", drawn: ready.length, failed };
  if (ready.length === 0) return counts;
  const mockupFacts = ready.map(({ id, product }) => ({
    id,
    product,
    url: imageUrl(id, services.publicUrl),
  }));
  await job.database.mockups.recordReady(account_id, pattern_id, mockupFacts);
  return counts;
}

const readPicture = async (services: RequiredServices, source: Source) => ({
  sha256: source.sha256,
  bytes: await readSourceImage(services, source.sha256),
});

interface MockupTask {
  readonly pattern: Pattern;
  readonly picture: ReturnType<typeof readPicture>;
  readonly mockup: MockupRow;
  readonly job: Job<"draw_mockups">;
}

async function draw({ engine }: RequiredServices, { pattern, picture, mockup, job }: MockupTask) {
  // The last attempt may have crashed its process. After an outage of any length there is another.
  if (job.tries > TRIES && !hadToWait(job)) return { error: INTERNAL_ERROR_MESSAGE };
  const { product, cell_mm } = mockup;
  try {
    const request = { design: designOf(pattern), source: await picture, product, cell_mm };
    const image = await engine.drawMockup(request, job.signal, ownerOf(pattern.account_id));
    return { image };
  } catch (error) {
    const reason = permanentFailureReason(error);
    if (reason === null) throw error;
    return { error: reason };
  }
}
