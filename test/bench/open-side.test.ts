/** A side of a comparison, on a folder that contains only cases. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import { openSide } from "../../bench/compare/open-side.ts";

async function sideOf(t: Test, cases: string) {
  const folder = t.testdir({});
  await mkdir(join(folder, "bench", "cases"), { recursive: true });
  await writeFile(join(folder, "bench", "cases", "index.ts"), cases);
  const side = await openSide(folder);
  t.teardown(() => side.end());
  return side;
}

const CASES = `
let runs = 0;
const prepared = {
  contenders: [
    { name: "ours", ours: true, run: async () => ({ ms: ++runs }) },
    { name: "peer", ours: false, run: async () => ({ ms: 0 }) },
  ],
  check: async () => undefined,
  close: async () => undefined,
};
export const cases = [
  { name: "right", title: "A case", metrics: [], prepare: async () => prepared },
  {
    name: "wrong",
    title: "Another",
    metrics: [],
    prepare: async () => ({ ...prepared, check: () => Promise.reject(new Error("another picture")) }),
  },
];`;

t.test("opens a case and runs it on request", async (t) => {
  const side = await sideOf(t, CASES);
  t.match(await side.request({ kind: "cases" }), [{ name: "right" }, { name: "wrong" }]);
  t.strictSame(await side.request({ kind: "prepare", name: "right" }), ["ours"]);
  t.strictSame(await side.request({ kind: "run", contender: "ours" }), { ms: 1 });
  t.strictSame(await side.request({ kind: "run", contender: "ours" }), { ms: 2 });
  t.equal(await side.request({ kind: "close" }), null);
  await t.rejects(side.request({ kind: "run", contender: "ours" }), {
    message: "no contender ours",
  });
});

t.test("reports a failing case and continues", async (t) => {
  const side = await sideOf(t, CASES);
  const wrong = side.request({ kind: "prepare", name: "wrong" });
  await t.rejects(wrong, { message: "another picture" });
  t.strictSame(await side.request({ kind: "prepare", name: "right" }), ["ours"]);
});

t.test("fails with the error output if a folder's cases cannot be loaded", async (t) => {
  const broken = 'throw new Error("no such kernel");';
  await t.rejects(sideOf(t, broken), { message: /^the cases of .* ended: .*/ });
});
