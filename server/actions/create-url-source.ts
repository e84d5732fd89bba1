import Type, { type Static } from "typebox";
import type { Source } from "../../db/index.ts";
import { Overloaded } from "../../engine/index.ts";
import { BodyTooLarge, FetcherBusy, Unreachable } from "../outbound/index.ts";
import { SourceUnreachable, TooManyBytes } from "./errors.ts";
import { strict } from "./resources/fields.ts";
import type { Services } from "./services.ts";
import { storeSource } from "./store-source.ts";
import { SOURCE_BYTES } from "./upload-source.ts";
import { readUrl } from "./url-input.ts";

export const UrlSource = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2000,
      examples: ["https://example.com/leaves.jpg"],
      description:
        "Where the picture lies: an http:// or https:// address without a user name and password, reachable from the public Internet. At most 5 redirects are followed, none from https to http; the whole takes at most 10 seconds.",
    }),
  },
  strict,
);

/**
 * Fetches a picture and stores it as a source of the account, free of charge. Throws InvalidInput
 * at `/url`, SourceUnreachable, TooManyBytes, SourceUnreadable, SourceTooLarge, QuotaExceeded, Overloaded,
 * and what `signal` aborts with.
 */
export async function createUrlSource(
  services: Services,
  accountId: number,
  { url }: Static<typeof UrlSource>,
  signal: AbortSignal,
): Promise<Source> {
  const target = readUrl(url);
  await services.db.sources.checkQuotas(accountId, 0, 0);
  try {
    const bytes = await services.fetcher.fetch(target, { maximumBytes: SOURCE_BYTES, signal });
    const origin = { kind: "url", preset: null, seed: null, url: target.href } as const;
    return await storeSource(services, accountId, origin, bytes, 0, signal);
  } catch (error) {
    throw asFailure(error);
  }
}

/** An error from the way out as what it means for a source; any other as it is. */
function asFailure(error: unknown): unknown {
  if (error instanceof Unreachable) return new SourceUnreachable(error.message, { cause: error });
  if (error instanceof BodyTooLarge) return new TooManyBytes("the picture", SOURCE_BYTES);
  if (error instanceof FetcherBusy) return new Overloaded(error.waiting);
  return error;
}
