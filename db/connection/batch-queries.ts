/**
 * Many questions in one query. What is asked while others are being answered waits and goes together
 * in the next query: under load a request costs a share of a query, and alone it waits for nobody. One
 * query at a time: two would each answer half as many, and cost as much.
 */
import { setTimeout as pause } from "node:timers/promises";

/** Questions in one query. */
const AT_MOST = 256;

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes a function that asks one question out of one that asks many; that gives as many answers, in
 * their order. When it throws, all who asked together are told.
 * @param gatherMs while several ask at a time, so many milliseconds lie between the beginnings of two
 *   queries at least, so that each answers more
 */
export function batched<Question, Answer>(
  askAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  gatherMs = 0,
): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = [];
  let isAsking = false;
  let next = Number.NEGATIVE_INFINITY;

  const askOn = async () => {
    isAsking = true;
    while (waiting.length > 0) {
      const early = next - performance.now();
      if (early > 0) await pause(early);
      const together = waiting.splice(0, AT_MOST);
      next = together.length > 1 ? performance.now() + gatherMs : Number.NEGATIVE_INFINITY;
      try {
        const answers = await askAll(together.map(({ question }) => question));
        for (const [place, { resolve }] of together.entries()) resolve(answers[place] as Answer);
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    isAsking = false;
  };

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      // What fails is told to those who asked.
      if (!isAsking) askOn().catch(() => undefined);
    });
}
