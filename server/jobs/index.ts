/** What this process does for the jobs of all. */
import { deliverWebhook } from "../actions/deliver-webhook.ts";
import { drawMockups } from "../actions/draw-mockups.ts";
import { makeExport } from "../actions/make-export.ts";
import type { Jobs, Services } from "../actions/services.ts";

/** A receiver that hangs takes two of the places, and no more from others. */
const DELIVERIES = { atOnce: 8, ofEachGroup: 2 };

/** Of each account one at a time: what an account has ordered does not hold up the others'. */
const EXPORTS = { atOnce: 4, ofEachGroup: 1 };

const MOCKUPS = { atOnce: 2, ofEachGroup: 1 };

type Needed = Pick<Services, "db" | "engine" | "sources" | "poster" | "publicUrl">;

/** Begins to take jobs of all kinds. */
export async function takeJobs(jobs: Jobs, services: Needed): Promise<void> {
  await takeDeliveries(jobs, services);
  await jobs.work("make_export", EXPORTS, (job) => makeExport(services, job));
  await jobs.work("draw_mockups", MOCKUPS, (job) => drawMockups(services, job));
}

/** Begins to deliver events. */
export async function takeDeliveries(
  jobs: Jobs,
  services: Pick<Services, "poster">,
): Promise<void> {
  await jobs.work("deliver_webhook", DELIVERIES, (job) => deliverWebhook(services, job));
}
