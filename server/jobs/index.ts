/** What this process does for the jobs of all. */
import { deliverWebhook } from "../actions/deliver-webhook.ts";
import type { Jobs, Services } from "../actions/services.ts";

/** A receiver that hangs takes two of the places, and no more from others. */
const DELIVERIES = { atOnce: 8, ofEachGroup: 2 };

/** Begins to take jobs. */
export async function takeJobs(jobs: Jobs, services: Pick<Services, "poster">): Promise<void> {
  await jobs.work("deliver_webhook", DELIVERIES, (job) => deliverWebhook(services, job));
}
