import { UnreadableEntry } from "../render-cache/index.ts";

/**
 * Does what gives out a kept picture; once more where that could not be read, since it is kept no
 * longer then and made anew.
 */
export async function retryUnreadable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnreadableEntry)) throw error;
    return await work();
  }
}
