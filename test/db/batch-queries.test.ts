/** Batched queries: sent at once if nothing is in flight, otherwise together. */
import t from "tap";
import { batchQueries } from "../../db/connection/batch-queries.ts";

/** Resolves numbers with their squares when it is released. */
function staged() {
  const batches: number[][] = [];
  const ends: (() => void)[] = [];
  const ask = batchQueries(async (questions: readonly number[]) => {
    batches.push([...questions]);
    await new Promise<void>((resolve) => ends.push(resolve));
    if (questions.includes(13)) throw new Error("unlucky");
    return questions.map((question) => question * question);
  });
  const end = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { batches, ask, end };
}

t.test("a lone call runs at once, and concurrent calls are batched", async (t) => {
  const { batches, ask, end } = staged();
  const answers = Promise.all([1, 2, 3, 4, 5].map(ask));
  t.same(batches, [[1]]);
  await end();
  t.same(batches, [[1], [2, 3, 4, 5]]);
  const later = ask(6);
  await end();
  await end();
  t.same(await answers, [1, 4, 9, 16, 25]);
  t.equal(await later, 36);
  const alone = ask(7);
  t.same(batches.at(-1), [7]);
  await end();
  t.equal(await alone, 49);
});

t.test("a failure rejects only the calls of its batch", async (t) => {
  const { ask, end } = staged();
  const outcomes = Promise.allSettled([1, 2, 13, 3].map(ask));
  for (let count = 0; count < 2; count++) await end();
  t.same(
    (await outcomes).map(({ status }) => status),
    ["fulfilled", "rejected", "rejected", "rejected"],
  );
  const after = ask(4);
  await end();
  t.equal(await after, 16);
});

t.test("batches have a maximum size", async (t) => {
  const { batches, ask, end } = staged();
  const answers = Promise.all(Array.from({ length: 1000 }, (_, number) => ask(number + 20)));
  while (batches.flat().length < 1000) await end();
  await end();
  t.equal((await answers).length, 1000);
  t.ok(Math.max(...batches.map(({ length }) => length)) <= 256);
});

t.test("concurrent calls gather while a lone call does not wait", async (t) => {
  const batches: number[][] = [];
  const square = async (questions: readonly number[]) => {
    batches.push([...questions]);
    return questions.map((question) => question * question);
  };
  const ask = batchQueries(square, 500);
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  for (const alone of [1, 2, 3]) {
    const answer = ask(alone);
    t.same(batches.at(-1), [alone]);
    t.equal(await answer, alone * alone);
  }
  const first = [ask(4), ask(5), ask(6)];
  await Promise.all(first);
  t.same(batches.splice(0), [[1], [2], [3], [4], [5, 6]]);
  // Each arrives after the others were answered, and still they share a statement.
  const gathered: Promise<number>[] = [];
  for (const late of [7, 8, 9]) {
    gathered.push(ask(late));
    await turn();
  }
  t.same(await Promise.all(gathered), [49, 64, 81]);
  t.same(batches, [[7, 8, 9]]);
});
