import { createHash } from "node:crypto";
import type { Job, Mockup, Pattern } from "../../db/index.ts";
import { ownerOf } from "./accounts.ts";
import { reasonToGiveUp } from "./giving-up.ts";
import { readSourceImage } from "./read-source-image.ts";
import { imageUrl } from "./resources/mockup.ts";
import { designOf } from "./resources/pattern.ts";
import type { Services } from "./services.ts";

type Needed = Pick<Services, "db" | "engine" | "sources" | "publicUrl">;

/**
 * Draws the mockups of the job's batch that are not drawn yet, and tells those who want to know,
 * together with the end of the job, once none is left. What is wrong with the pattern's source fails
 * them; what is wrong with us is thrown, so that it is tried again. What was ordered again meanwhile
 * is another batch's.
 */
export async function drawMockups(services: Needed, job: Job<"draw_mockups">): Promise<void> {
  const { account_id, pattern_id, batch } = job.data;
  const { mockups, patterns, sources } = services.db;
  const pattern = await patterns.get(account_id, pattern_id);
  const source = pattern && (await sources.get(account_id, pattern.source_id));
  // The mockups of a pattern go with it.
  if (!pattern || !source) return;
  const picture = { sha256: source.sha256, bytes: await readSourceImage(services, source) };
  const waiting = (await mockups.ofBatch(batch)).filter(({ status }) => status === "queued");
  const drawn = await Promise.allSettled(
    waiting.map(async (mockup) => {
      const outcome = await draw(services, { pattern, picture, mockup, job });
      await mockups.settle(batch, mockup.id, outcome);
    }),
  );
  const failed = drawn.find((one) => one.status === "rejected");
  if (failed) throw failed.reason;

  const ready = (await mockups.ofBatch(batch)).filter(({ status }) => status === "done");
  if (ready.length === 0) return;
  const told = ready.map(({ id, product }) => ({
    id,
    product,
    url: imageUrl(id, services.publicUrl),
  }));
  await job.database.mockups.announce(account_id, pattern_id, told);
}

interface Drawing {
  readonly pattern: Pattern;
  readonly picture: { readonly sha256: string; readonly bytes: Uint8Array };
  readonly mockup: Mockup;
  readonly job: Job<"draw_mockups">;
}

async function draw({ engine }: Needed, { pattern, picture, mockup, job }: Drawing) {
  const { product, cell_mm } = mockup;
  const design = designOf(pattern);
  try {
    const request = { design, source: picture, product, cell_mm };
    const image = await engine.drawMockup(request, job.signal, ownerOf(pattern.account_id));
    return { image, sha256: createHash("sha256").update(image).digest("hex") };
  } catch (error) {
    return { error: reasonToGiveUp(error, job) };
  }
}
