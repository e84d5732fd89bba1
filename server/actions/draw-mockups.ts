import PQueue from "p-queue";
import type { Job, Mockup, Pattern, Source } from "../../db/index.ts";
import { ownerOf } from "./accounts.ts";
import { FAILURES, isPermanent, OUR_FAULT } from "./job-failure.ts";
import type { LogFields } from "./log.ts";
import { readSourceImage } from "./read-source-image.ts";
import { imageUrl } from "./resources/mockup.ts";
import { designOf } from "./resources/pattern.ts";
import type { Services } from "./services.ts";

/** Pictures of one order that are drawn at the same time. */
const AT_ONCE = 2;

/** How often an order is begun: restarts and full queues count here, too. */
const TRIES = 4 * FAILURES;

type Needed = Pick<Services, "db" | "engine" | "sources" | "publicUrl">;

/**
 * Draws the mockups of the job's batch that are not drawn yet, and tells those who want to know,
 * together with the end of the job, once none is left. What is wrong with the pattern's source fails
 * them; what is wrong with us is thrown, so that it is tried again. What was ordered again meanwhile
 * is another batch's. Returns how many are drawn and how many failed, for the log.
 */
export async function drawMockups(
  services: Needed,
  job: Job<"draw_mockups">,
): Promise<LogFields | null> {
  const { account_id, pattern_id, batch } = job.data;
  const { mockups, patterns, sources } = services.db;
  const pattern = await patterns.get(account_id, pattern_id);
  const source = pattern && (await sources.get(account_id, pattern.source_id));
  // The mockups of a pattern go with it.
  if (!pattern || !source) return null;
  const picture = readPicture(services, source);
  // It may be that none is drawn any more.
  picture.catch(() => undefined);
  const waiting = (await mockups.ofBatch(batch)).filter(({ status }) => status === "queued");
  // Two at a time, so that others' pictures come through.
  const queue = new PQueue({ concurrency: AT_ONCE });
  await queue.addAll(
    waiting.map((mockup) => async () => {
      const outcome = await draw(services, { pattern, picture, mockup, job });
      await mockups.settle(batch, mockup.id, outcome);
    }),
  );

  const drawn = await mockups.ofBatch(batch);
  const ready = drawn.filter(({ status }) => status === "done");
  const counts = { drawn: ready.length, failed: drawn.length - ready.length };
  if (ready.length === 0) return counts;
  const told = ready.map(({ id, product }) => ({
    id,
    product,
    url: imageUrl(id, services.publicUrl),
  }));
  await job.database.mockups.announce(account_id, pattern_id, told);
  return counts;
}

const readPicture = async (services: Needed, source: Source) => ({
  sha256: source.sha256,
  bytes: await readSourceImage(services, source),
});

interface Drawing {
  readonly pattern: Pattern;
  readonly picture: ReturnType<typeof readPicture>;
  readonly mockup: Mockup;
  readonly job: Job<"draw_mockups">;
}

async function draw({ engine }: Needed, { pattern, picture, mockup, job }: Drawing) {
  // The last time may have taken its process with it.
  if (job.tries > TRIES) return { error: OUR_FAULT };
  const { product, cell_mm } = mockup;
  try {
    const request = { design: designOf(pattern), source: await picture, product, cell_mm };
    const image = await engine.drawMockup(request, job.signal, ownerOf(pattern.account_id));
    return { image };
  } catch (error) {
    const reason = isPermanent(error);
    if (reason === null) throw error;
    return { error: reason };
  }
}
