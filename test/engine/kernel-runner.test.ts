/** Kernels that are run again and again, and constants that are written after their kernel is bound. */
import t from "tap";
import type { Kernel, KernelThis } from "../../shaders/kernel.ts";
import { backends } from "../shaders/backends.ts";

interface TableThis extends KernelThis {
  readonly constants: { readonly table: readonly Float32Array[]; readonly scale: number };
}

function entry(this: TableThis, row: Float32Array, column: Float32Array): number {
  return this.constants.table[row[this.thread.x]][column[this.thread.x]] * this.constants.scale;
}

const kernel: Kernel = { run: entry };

t.test("a kernel reads what was written last, on every backend", async (t) => {
  const { reference, others } = await backends(t);
  const row = Float32Array.of(0, 1, 2, 1);
  const column = Float32Array.of(0, 2, 1, 0);
  for (const runner of [reference, ...others]) {
    const bound = runner.bind(kernel, { table: { rows: 4, length: 3 }, scale: 2 });
    for (const offset of [1, 100, 1000]) {
      bound.write("table", 9, (numbers) => {
        t.equal(numbers.length, 9);
        numbers.set(numbers.map((_, i) => offset + i));
      });
      for (const _ of ["first", "again"]) {
        const read = await bound.run(4, [row, column]);
        t.strictSame(
          [...read],
          [0, 5, 7, 3].map((i) => 2 * (offset + i)),
          `${runner.backend}, from ${offset}`,
        );
      }
    }
    bound.release();
  }
});

t.test("kernels bound with arrays of the same size do not share them", async (t) => {
  const { reference, others } = await backends(t);
  for (const runner of [reference, ...others]) {
    const [one, other] = [1, 2].map((value) => {
      const bound = runner.bind(kernel, { table: { rows: 1, length: 4 }, scale: 1 });
      bound.write("table", 4, (numbers) => numbers.fill(value));
      return bound;
    });
    const zeros = new Float32Array(4);
    t.strictSame([...(await one.run(4, [zeros, zeros]))], [1, 1, 1, 1], runner.backend);
    t.strictSame([...(await other.run(4, [zeros, zeros]))], [2, 2, 2, 2], runner.backend);
  }
});

t.test("a run of fewer threads than the most returns their numbers", async (t) => {
  const { reference, others } = await backends(t);
  const columns = Float32Array.from({ length: 12 }, (_, at) => at % 4);
  const rows = Float32Array.from({ length: 12 }, (_, at) => Math.floor(at / 4));
  for (const runner of [reference, ...others]) {
    const bound = runner.bind(kernel, { table: { rows: 3, length: 4 }, scale: 3 });
    bound.write("table", 12, (numbers) => numbers.set(numbers.map((_, i) => i)));
    for (const count of [5, 12, 1, 8]) {
      const read = await bound.run(count, [rows, columns], 12);
      const expected = Array.from({ length: count }, (_, i) => 3 * i);
      t.strictSame([...read.subarray(0, count)], expected, `${runner.backend}, ${count}`);
    }
  }
});

t.test("on webasm, runs with other lengths throw once constants are written", async (t) => {
  const { reference } = await backends(t);
  const bound = reference.bind(kernel, { table: { rows: 1, length: 4 }, scale: 1 });
  bound.write("table", 4, (numbers) => numbers.fill(7));
  const zeros = new Float32Array(4);
  t.strictSame([...(await bound.run(4, [zeros, zeros]))], [7, 7, 7, 7]);
  const longer = new Float32Array(8);
  t.throws(() => bound.run(8, [longer, longer]), /lengths changed/);
  t.throws(() => bound.run(8, [zeros, zeros]), /lengths changed/);
  t.strictSame([...(await bound.run(4, [zeros, zeros]))], [7, 7, 7, 7], "nothing is spoilt");
});

function scaled(
  this: KernelThis,
  numbers: Float32Array,
  factor: number,
  first: Float32Array,
): number {
  return numbers[this.thread.x] * factor + first[0];
}

const scaling: Kernel = { run: scaled };

t.test("a kernel is run with any number of threads and arguments of any length", async (t) => {
  const { reference, others } = await backends(t);
  for (const runner of [reference, ...others]) {
    for (const [count, length] of [
      [8, 8],
      [8, 8],
      [5, 8],
      [12, 12],
      [7, 7],
      [8, 20],
      [8, 8],
    ] as const) {
      const numbers = Float32Array.from({ length }, (_, at) => at + count);
      const read = await runner.run(scaling, count, [numbers, 3, Float32Array.of(count)]);
      const expected = Array.from(numbers.subarray(0, count), (number) => number * 3 + count);
      t.strictSame(
        [...read.subarray(0, count)],
        expected,
        `${runner.backend}: ${count}, ${length}`,
      );
    }
  }
});

t.test("a result is an argument of the next run of its kernel", async (t) => {
  const { reference, others } = await backends(t);
  for (const runner of [reference, ...others]) {
    let numbers = Float32Array.from({ length: 10 }, (_, at) => at);
    for (let run = 0; run < 3; run++) {
      numbers = (await runner.run(scaling, 10, [numbers, 2, Float32Array.of(1)])) as typeof numbers;
    }
    const expected = Array.from({ length: 10 }, (_, at) => 8 * at + 7);
    t.strictSame([...numbers], expected, runner.backend);
  }
});
