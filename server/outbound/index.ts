/** Guarded access to external addresses. */

export { createFetcher, type Fetcher, type FetcherOptions } from "./fetcher.ts";
export {
  BodyTooLarge,
  FetcherBusy,
  InvalidUrl,
  parseHttpUrl,
  Refused,
  Unreachable,
} from "./http-request.ts";
export { createMailer, type Mailer, MailRefused } from "./mailer.ts";
export {
  createWebhookClient,
  type WebhookClient,
  type WebhookClientOptions,
} from "./webhook-client.ts";
