/** Case 14: a large print file with an effect, by all threads and by one. */
import { createHash } from "node:crypto";
import { Value } from "typebox/value";
import {
  checkDesign,
  checkPrint,
  createEngine,
  type Engine,
  PrintFields,
  type PrintRequest,
  plainDesign,
} from "../../engine/index.ts";
import { type BenchCase, type Contender, type PreparedCase, WrongResult } from "../harness/case.ts";
import { timed } from "../harness/timed.ts";
import { photograph } from "../pictures/photograph.ts";
import { inSharedMemory } from "./in-thread-engine.ts";

const THREADS = 2;
const ONE_THREAD = "one thread";
const PRINT = { width_mm: 1500, height_mm: 1000, dpi: 150, surface_effects: [{ id: "linen" }] };

export const printFile: BenchCase = {
  name: "print",
  number: 14,
  title: `Print file of ${PRINT.width_mm} × ${PRINT.height_mm} mm at ${PRINT.dpi} dpi on linen, PDF, of a photograph of 12 Mpx that the engine knows`,
  scope: "user",
  fairness: `Ours has ${THREADS} threads, the other is ours with one. This thread reads the file, on the same cores. Both have made the file before: its period and its effect are known.`,
  metrics: [{ name: "ms", unit: "ms", better: "lower" }],
  targets: [
    { metric: "ms", must: 14_000, aim: 4000 },
    { metric: "ms", peer: ONE_THREAD, must: 1.75 },
  ],
  prepare,
};

async function prepare(): Promise<PreparedCase> {
  const design = checkDesign(plainDesign("p4"));
  const source = inSharedMemory(await photograph(12));
  const print = checkPrint(design, Value.Default(PrintFields, PRINT) as PrintFields);
  const request = { design, source, print };
  const [all, one] = await Promise.all(
    [THREADS, 1].map((threads) => createEngine({ backend: "webasm", threads, queueMax: 64 })),
  );
  return {
    contenders: [
      contender(`orbifold, ${THREADS} threads`, true, all, request),
      contender(ONE_THREAD, false, one, request),
    ],
    notes: [],
    versions: {},
    async check() {
      const [expected, found] = [await sumOf(one, request), await sumOf(all, request)];
      if (expected !== found) throw new WrongResult("the number of threads changes the file");
    },
    async close() {
      await Promise.all([all.close(0), one.close(0)]);
    },
  };
}

const contender = (
  name: string,
  ours: boolean,
  engine: Engine,
  request: PrintRequest,
): Contender => ({
  name,
  ours,
  run: async () => ({ ms: await timed(() => sumOf(engine, request)) }),
});

/** Makes a file. Returns the SHA-256 of what comes before its patch. */
async function sumOf(engine: Engine, request: PrintRequest): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of (await engine.print(request)).body) hash.update(piece);
  return hash.digest("hex");
}
