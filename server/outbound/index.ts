/** The only door to outside addresses. */
export { BadTarget, BodyTooLarge, FetcherBusy, Unreachable } from "./errors.ts";
export { createFetcher, type Fetcher, type FetcherOptions } from "./fetcher.ts";
export { createMailer, type Mailer, MailRefused } from "./mailer.ts";
export { createPoster, type Poster, type PosterOptions } from "./poster.ts";
export { readTarget } from "./target.ts";
