/** The only door to outside addresses. */
export { BadTarget, BodyTooLarge, FetcherBusy, Unreachable } from "./errors.ts";
export { createFetcher, type Fetcher, type FetcherOptions } from "./fetcher.ts";
export { createMailer, type Mailer, MailRefused } from "./mailer.ts";
export { readTarget } from "./parse-url.ts";
export {
  createWebhookClient,
  type WebhookClient,
  type WebhookClientOptions,
} from "./webhook-client.ts";
