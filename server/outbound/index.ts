/** The only door to outside addresses. */
export { BadTarget, BodyTooLarge, FetcherBusy, Unreachable } from "./errors.ts";
export { createFetcher, type Fetcher, type FetcherOptions } from "./fetcher.ts";
export { readTarget } from "./target.ts";
