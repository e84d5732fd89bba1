/** What gpu.js's compiler is made to do for vectors, by private methods. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { WebAssemblyFunctionNode } from "gpu.js";
import t from "tap";
import type { Kernel, KernelThis } from "../../shaders/kernel.ts";
import { backends } from "../shaders/backends.ts";

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const COUNT = 64;

/** Eighths from −2 to 2, with which all backends compute exactly. */
const numbers = Float32Array.from({ length: COUNT }, (_, i) => (((i * 29) % 33) - 16) / 8);

interface RowsThis extends KernelThis {
  readonly constants: { readonly rows: readonly Float32Array[] };
}

function elements(this: RowsThis, short: Float32Array, at: Float32Array, count: number): number {
  let value = this.constants.rows[1][this.thread.x] - this.constants.rows[0][this.thread.x];
  if (this.thread.x < count) value += 1000 * short[this.thread.x];
  if (at[this.thread.x] >= 0) value += this.constants.rows[at[this.thread.x]][this.thread.x] * 1e6;
  return value;
}

t.test("elements are those of their threads, also where others have none", async (t) => {
  const { reference, others } = await backends(t);
  const kernel: Kernel = { run: elements };
  const short = numbers.map((_, i) => i).subarray(0, 13);
  const at = numbers.map((_, i) => (i % 5) - 2);
  const row = (first: number) => numbers.map((_, i) => first + i);
  for (const runner of [reference, ...others]) {
    const bound = runner.bind(kernel, { rows: { rows: 3, length: COUNT } });
    bound.write("rows", 3 * COUNT, (values) => {
      values.set([...row(0), ...row(100).reverse(), ...row(3)]);
    });
    const read = await bound.run(COUNT, [short, at, short.length]);
    const expected = Array.from({ length: COUNT }, (_, i) => {
      const rows = [i, 100 + COUNT - 1 - i, 3 + i];
      return rows[1] - rows[0] + (i < 13 ? 1000 * i : 0) + (at[i] >= 0 ? rows[at[i]] * 1e6 : 0);
    });
    t.strictSame([...read], expected.map(Math.fround), runner.backend);
    bound.release();
  }
});

function bounded(this: KernelThis, values: Float32Array, others: Float32Array): number {
  const one = values[this.thread.x];
  const other = others[this.thread.x];
  return (
    Math.min(one, other) * 4 +
    Math.max(Math.min(one, 1), -1) +
    Math.max(Math.max(one, other), 0.5) * 16
  );
}

t.test("Math.min and Math.max are those of JavaScript", async (t) => {
  const { reference, others } = await backends(t);
  const reversed = numbers.slice().reverse();
  for (const runner of [reference, ...others]) {
    const read = await runner.run({ run: bounded }, COUNT, [numbers, reversed]);
    const expected = numbers.map((one, i) => {
      const clamped = Math.max(Math.min(one, 1), -1);
      return Math.min(one, reversed[i]) * 4 + clamped + Math.max(one, reversed[i], 0.5) * 16;
    });
    t.strictSame([...read], [...expected], runner.backend);
  }
});

/** Prints what a kernel with selections and elements at any index returns on a backend, and on `webasm` also light. */
const PRINT = `
  const { createRunner } = await import("./engine/kernel-runner.ts");
  const runner = createRunner(backend, "");
  function picked(table, at) {
    const k = at[this.thread.x];
    let value = k < 3 ? k * 2 : k + 0.5;
    if (k > 1) value += table[Math.floor(k)];
    return value;
  }
  const at = Float32Array.from({ length: 64 }, (_, i) => ((i * 29) % 76) / 4);
  const table = Float32Array.from({ length: 20 }, (_, i) => 100 * i);
  const values = await runner.run({ run: picked }, 64, [table, at]);
  function between(at) {
    const row = 1 + at[this.thread.x] / 10;
    const column = 2 + at[this.thread.x] / 20;
    return this.constants.colours[row][column][2] + 2 * this.constants.colours[row][column][5];
  }
  function lightBetween() {
    const bound = runner.bind({ run: between }, { colours: { rows: 7, length: 8, depth: 2 } });
    bound.write("colours", 2 * 8 * 7, ({ buffer, byteOffset, length }) => {
      new Int32Array(buffer, byteOffset, length).forEach((_, n, all) => (all[n] = Math.imul(n, 0x9e3779b9)));
    });
    return bound.run(64, [at]);
  }
  const light = backend === "webasm" ? lightBetween() : [];
  console.log(JSON.stringify({ values: [...values], light: [...light] }));`;

/** Code before the module is loaded, which looks for what WebAssembly has. */
const MACHINES = {
  "relaxed SIMD": `const backend = "webasm";`,
  "SIMD only": `
    const backend = "webasm";
    const { validate } = WebAssembly;
    WebAssembly.validate = (bytes) => !Buffer.from(bytes).includes("fd8102", 0, "hex") && validate(bytes);`,
  "no WebAssembly": `const backend = "cpu"; delete globalThis.WebAssembly;`,
};

t.test("kernels return the same with relaxed SIMD, SIMD and no WebAssembly", async (t) => {
  const outputs = await Promise.all(
    Object.values(MACHINES).map((code) =>
      execute(process.execPath, ["--input-type=module", "--eval", code + PRINT], { cwd: ROOT }),
    ),
  );
  const [first, ...others] = outputs.map(({ stdout }) => JSON.parse(stdout));
  t.equal(first.values.length, 64);
  for (const [n, other] of others.entries())
    t.strictSame(other.values, first.values, Object.keys(MACHINES)[n + 1]);
  t.equal(new Set(first.light).size, 64, "light differs from place to place");
  t.strictSame(others[0]?.light, first.light, "light");
});

t.test("gpu.js has the methods that are replaced, and calls them", async (t) => {
  const { reference } = await backends(t);
  const methods = ["emitFlatLoad", "vGather", "vMathCall", "vSetLocal", "vSetVaryingScalar"];
  const calls = methods.map((method) => {
    const prototype = WebAssemblyFunctionNode.prototype as unknown as Record<string, () => unknown>;
    return { method, calls: t.capture(prototype, method, prototype[method]) };
  });
  await reference.run({ run: bounded }, COUNT, [numbers, numbers]);
  for (const { method, calls: list } of calls) t.ok(list().length > 0, method);
});
