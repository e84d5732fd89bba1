/**
 * One side of a comparison, in its own process: prepares a case of one folder's files and runs a
 * round on request. It uses only what every commit's folder has.
 */
import type { BenchCase, Metric, PreparedCase, Reading } from "../harness/case.ts";

/** Requests to a side. */
export type Question =
  | { readonly ask: "cases" }
  | { readonly ask: "prepare"; readonly name: string }
  | { readonly ask: "run"; readonly contender: string }
  | { readonly ask: "close" };

export interface CaseFacts {
  readonly name: string;
  readonly title: string;
  readonly metrics: readonly Metric[];
}

/** Answers, by request. */
export interface Answers {
  readonly cases: readonly CaseFacts[];
  /** Names of the product's own contenders, with checked results. */
  readonly prepare: readonly string[];
  readonly run: Reading;
  readonly close: null;
}

export type Reply =
  | { readonly ok: true; readonly answer: Answers[Question["ask"]] }
  | { readonly ok: false; readonly message: string };

const [root = ""] = process.argv.slice(2);
const { cases }: { cases: readonly BenchCase[] } = await import(`${root}/bench/cases/index.ts`);
let prepared: PreparedCase | null = null;

async function answer(question: Question): Promise<Answers[Question["ask"]]> {
  switch (question.ask) {
    case "cases":
      return cases.map(({ name, title, metrics }) => ({ name, title, metrics }));
    case "prepare": {
      const found = cases.find(({ name }) => name === question.name);
      prepared = (await found?.prepare()) ?? null;
      await prepared?.check();
      return (prepared?.contenders ?? []).filter(({ ours }) => ours).map(({ name }) => name);
    }
    case "run": {
      const contender = prepared?.contenders.find(({ name }) => name === question.contender);
      if (contender === undefined) throw new Error(`no contender ${question.contender}`);
      return contender.run();
    }
    case "close":
      await prepared?.close();
      prepared = null;
      return null;
  }
}

process.on("message", async (question: Question) => {
  const reply = await answer(question).then(
    (value): Reply => ({ ok: true, answer: value }),
    (error): Reply => ({ ok: false, message: error.message }),
  );
  process.send?.(reply);
});
process.send?.("ready");
