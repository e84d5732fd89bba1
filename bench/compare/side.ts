/**
 * One side of a comparison, in its own process: prepares a case of one folder's files and runs a
 * round on request. It uses only what every commit's folder has.
 */
import type { BenchCase, Metric, PreparedCase, Reading } from "../harness/case.ts";

/** Requests to a side. */
export type Request =
  | { readonly kind: "cases" }
  | { readonly kind: "prepare"; readonly name: string }
  | { readonly kind: "run"; readonly contender: string }
  | { readonly kind: "close" };

export interface CaseFacts {
  readonly name: string;
  readonly title: string;
  readonly metrics: readonly Metric[];
}

/** Results, by request. */
export interface Results {
  readonly cases: readonly CaseFacts[];
  /** Names of the product's own contenders, with checked results. */
  readonly prepare: readonly string[];
  readonly run: Reading;
  readonly close: null;
}

export type Reply =
  | { readonly ok: true; readonly result: Results[Request["kind"]] }
  | { readonly ok: false; readonly message: string };

const [root = ""] = process.argv.slice(2);
const { cases }: { cases: readonly BenchCase[] } = await import(`${root}/bench/cases/index.ts`);
let prepared: PreparedCase | null = null;

async function handle(request: Request): Promise<Results[Request["kind"]]> {
  switch (request.kind) {
    case "cases":
      return cases.map(({ name, title, metrics }) => ({ name, title, metrics }));
    case "prepare": {
      const found = cases.find(({ name }) => name === request.name);
      prepared = (await found?.prepare()) ?? null;
      await prepared?.check();
      return (prepared?.contenders ?? []).filter(({ ours }) => ours).map(({ name }) => name);
    }
    case "run": {
      const contender = prepared?.contenders.find(({ name }) => name === request.contender);
      if (contender === undefined) throw new Error(`no contender ${request.contender}`);
      return contender.run();
    }
    case "close":
      await prepared?.close();
      prepared = null;
      return null;
  }
}

process.on("message", async (request: Request) => {
  const reply = await handle(request).then(
    (value): Reply => ({ ok: true, result: value }),
    (error): Reply => ({ ok: false, message: error.message }),
  );
  process.send?.(reply);
});
process.send?.("ready");
