/** The kernel text for gpu.js. */
import t from "tap";
import { kernelText } from "../../../engine/kernel-text/kernel-text.ts";
import { patternEffects, presets, surfaceEffects } from "../../../shaders/catalog.ts";
import { deepestCopyKernel, deepestCopyOfLightKernel } from "../../../shaders/deepest-copy.ts";
import type { Kernel, KernelThis } from "../../../shaders/kernel.ts";
import {
  layout,
  numbersOf,
  type RecordOf,
  RGB,
  type Rgb,
  recordAt,
} from "../../../shaders/lib/layout.ts";
import { orbitKernel, orbitOfLightKernel } from "../../../shaders/orbit.ts";
import { textureKernel } from "../../../shaders/texture.ts";
import { backends } from "../../shaders/backends.ts";

/** The lines of a kernel's text between its braces. */
const linesOf = (kernel: Kernel) =>
  kernelText(kernel)
    .split("\n")
    .slice(1, -1)
    .map((line) => line.trim());

const DOT = layout({ x: 1, y: 1, colours: [RGB, 2], weights: 3, rim: RGB });
type Dot = RecordOf<typeof DOT>;

t.test("a helper's statements come before the statement that calls it", async (t) => {
  function between(table: Float32Array, place: number): number {
    const index = Math.floor(place);
    return table[index] + (table[index + 1] - table[index]) * (place - index);
  }
  function run(this: KernelThis, table: Float32Array): number {
    let sum = 0;
    for (let i = 0; i < 3; i++) sum += between(table, this.thread.x * i);
    return sum;
  }
  t.strictSame(linesOf({ run, helpers: [between] }), [
    "let sum = 0;",
    "for (let i = 0; i < 3; i++) {",
    "const between_1_place = this.thread.x * i;",
    "const between_1_index = Math.floor(between_1_place);",
    "sum += table[between_1_index] + ((table[between_1_index + 1] - table[between_1_index]) * (between_1_place - between_1_index));",
    "}",
    "return sum;",
  ]);
});

t.test("inlines arguments that a helper reads once or that have a name", async (t) => {
  const mix = (from: number, to: number, share: number) => from + (to - from) * share;
  function run(this: KernelThis, a: Float32Array): number {
    const x = a[this.thread.x];
    return mix(x, 2, x + 1) > 0 ? mix(x, x, a[0]) : 0;
  }
  t.strictSame(linesOf({ run, helpers: [mix] }), [
    "const x = a[this.thread.x];",
    "return ((x + ((2 - x) * (x + 1))) > 0) ? (x + ((x - x) * a[0])) : 0;",
  ]);
});

t.test("a parameter that a helper assigns to becomes a variable", async (t) => {
  function twice(value: number): number {
    // biome-ignore lint/style/noParameterAssign: what is tested
    value += value;
    return value;
  }
  function run(this: KernelThis): number {
    const x = this.thread.x;
    return x + twice(x);
  }
  t.strictSame(linesOf({ run, helpers: [twice] }), [
    "const x = this.thread.x;",
    "let twice_1_value = x;",
    "twice_1_value += twice_1_value;",
    "return x + twice_1_value;",
  ]);
});

t.test("fields become indices", async (t) => {
  const area = (dot: Dot) => dot.x * dot.y + dot.rim.blue;
  function run(this: KernelThis, look: Dot, dots: readonly Dot[], list: Float32Array): number {
    const dot = recordAt(dots, list[this.thread.x]);
    const first = dots[0];
    const { green } = dot.colours[1];
    return look.x + look.weights[2] + first.y + green + dots[this.thread.x].weights[1] + area(dot);
  }
  const kernel = { run, records: { look: DOT, dots: DOT }, helpers: [area] };
  t.strictSame(linesOf(kernel), [
    "const dot = list[this.thread.x];",
    "const green = dots[dot + 6];",
    `return ((((look[0] + look[10]) + dots[1]) + green) + dots[this.thread.x * ${DOT.size} + 9]) + ((dots[dot] * dots[dot + 1]) + dots[dot + 13]);`,
  ]);
});

t.test("objects become one variable for each property", async (t) => {
  const turned = (c: Rgb): Rgb => ({ red: c.green, green: c.blue, blue: c.red });
  function run(this: KernelThis, look: Rgb): number {
    let light: Rgb = { red: look.red, green: 1, blue: look.blue };
    light = turned(light);
    const { red: first, blue } = turned(light);
    return first + blue + turned({ red: first * 2, green: 0, blue: 1 }).blue;
  }
  t.strictSame(linesOf({ run, records: { look: RGB }, helpers: [turned] }), [
    "let light_red = look[0];",
    "let light_green = 1;",
    "let light_blue = look[2];",
    "const light_red_2 = light_green;",
    "light_green = light_blue;",
    "light_blue = light_red;",
    "light_red = light_red_2;",
    "const first = light_green;",
    "const blue = light_red;",
    "return (first + blue) + (first * 2);",
  ]);
});

t.test(
  "named numbers become literals, and divisions by powers of two multiplications",
  async (t) => {
    function run(this: KernelThis, a: Float32Array): number {
      return a[0] / CELLS + a[1] / 3 + a[2] / 256 / SHIFT;
    }
    t.strictSame(linesOf({ run, literals: { CELLS, SHIFT } }), [
      "return ((a[0] * 0.0625) + (a[1] / 3)) + ((a[2] * 0.00390625) / (-2));",
    ]);
  },
);
const CELLS = 16;
const SHIFT = -2;

t.test("folds sums and products of integer literals", async (t) => {
  const channelAt = (table: Float32Array, at: number, channel: number) => table[at + channel * 2];
  function run(this: KernelThis, a: Float32Array, dots: readonly Dot[]): number {
    const at = Math.floor(a[CELLS - 1]);
    return channelAt(a, at, 0) + channelAt(a, at, 1) + dots[0].weights[at + 1];
  }
  t.strictSame(
    linesOf({ run, helpers: [channelAt], records: { dots: DOT }, literals: { CELLS } }),
    ["const at = Math.floor(a[15]);", "return (a[at] + a[at + 2]) + dots[at + 9];"],
  );
});

t.test("copies variables, but not constants", async (t) => {
  const turned = (c: Rgb): Rgb => ({ red: c.green, green: c.blue, blue: c.red });
  function run(this: { readonly constants: { readonly sky: Float32Array } }, a: Float32Array) {
    const { sky } = this.constants;
    const light: Rgb = { red: a[0], green: sky[1], blue: a[2] };
    let { green } = turned(light);
    const before = green;
    green += light.red;
    return before + green;
  }
  t.strictSame(linesOf({ run, helpers: [turned] }), [
    "const light_red = a[0];",
    "const light_green = this.constants.sky[1];",
    "const light_blue = a[2];",
    "let green = light_blue;",
    "const before = green;",
    "green += light_red;",
    "return before + green;",
  ]);
});

t.test("variable names are unique", async (t) => {
  function run(this: KernelThis, a: Float32Array): number {
    let sum = 0;
    for (let i = 0; i < 3; i++) sum += a[i];
    for (let i = 0; i < 3; i++) sum -= a[i + 3];
    return sum;
  }
  t.strictSame(
    linesOf({ run }).filter((line) => line.startsWith("for")),
    ["for (let i = 0; i < 3; i++) {", "for (let i_1 = 0; i_1 < 3; i_1++) {"],
  );
});

t.test("names unsupported syntax in its error", async (t) => {
  const refused = (kernel: Kernel, message: RegExp) =>
    t.throws(() => kernelText(kernel), { message });
  function long(x: number): number {
    const y = x * x;
    return y + 1;
  }
  function early(x: number): number {
    if (x > 0) return 1;
    return 0;
  }
  function again(x: number): number {
    return again(x - 1);
  }
  refused({ run: (x: number) => long(x) }, /^kernel run: long is not among the kernel's helpers$/);
  refused(
    { run: (x: number) => x + CELLS },
    /^kernel run: CELLS is not among the kernel's literals$/,
  );
  refused({ run: (dot: Dot) => dot.y, records: { spot: DOT } }, /there is no parameter spot/);
  const chosen = (x: number) => (x > 0 ? long(x) : 0);
  refused(
    { run: chosen, helpers: [long] },
    /^kernel chosen › long: a helper of several statements/,
  );
  const branching = (x: number) => early(x);
  refused({ run: branching, helpers: [early] }, /^kernel branching › early: a helper returns once/);
  const endless = (x: number) => again(x);
  refused({ run: endless, helpers: [again] }, /again calls itself/);
  const record = (dot: Dot) => Number(dot.rim);
  refused({ run: record, records: { dot: DOT }, helpers: [] }, /Number is not among/);
  const mean = (dot: Dot) => (dot.weights as unknown as number) / 2;
  refused({ run: mean, records: { dot: DOT } }, /^kernel mean: .* is a record, not a number/);
});

t.test("writes numbers in the layout's order and checks the length of lists", async (t) => {
  const dot = { x: 1, y: 2, colours: [3, 4, 5, 6, 7, 8], weights: [9, 10, 11], rim: [12, 13, 14] };
  t.strictSame(
    numbersOf(dot, DOT),
    Array.from({ length: DOT.size }, (_, index) => index + 1),
  );
  t.throws(() => numbersOf({ ...dot, weights: [9] }, DOT), { message: /weights has 1 numbers/ });
});

t.test("backends compute the same as the functions", async (t) => {
  function run(this: KernelThis, dots: readonly Dot[], at: Float32Array): number {
    const dot = recordAt(dots, at[this.thread.x]);
    let light: Rgb = dot.rim;
    for (let i = 0; i < 2; i++) light = mixed(light, dot.colours[i], dot.weights[i]);
    return light.red + light.green * 100 + light.blue * 10000;
  }
  function mixed(a: Rgb, b: Rgb, share: number): Rgb {
    const rest = 1 - share;
    return {
      red: a.red * rest + b.red * share,
      green: a.green * rest + b.green * share,
      blue: a.blue * rest + b.blue * share,
    };
  }
  const dots = [0, 4].flatMap((more) =>
    numbersOf(
      { x: 0, y: 0, colours: [1, 2, 3, 4, 5, 6 + more], weights: [0.5, 0.25, 0], rim: [9, 8, 7] },
      DOT,
    ),
  );
  const kernel = { run, records: { dots: DOT }, helpers: [mixed] };
  const { reference, others } = await backends(t);
  for (const runner of [reference, ...others]) {
    const args = [Float32Array.from(dots), Float32Array.of(0, DOT.size)];
    t.strictSame(
      Array.from(await runner.run(kernel, 2, args)),
      [4.75 + 500 + 52500, 4.75 + 500 + 62500],
      runner.backend,
    );
  }
});

t.test("no compiled kernel calls a helper", async (t) => {
  const pointwise = patternEffects.filter((effect) => effect.kind === "pointwise");
  const kernels = [...presets, ...surfaceEffects, ...pointwise].map(({ kernel }) => kernel);
  const sampling = [orbitKernel, orbitOfLightKernel, deepestCopyKernel, deepestCopyOfLightKernel];
  for (const kernel of [...kernels, ...sampling, textureKernel]) {
    const [own, ...calls] = kernelText(kernel).match(/[\w.]+(?=\()/g) ?? [];
    t.equal(own, kernel.run.name);
    t.strictSame(
      calls.filter((name) => !name.startsWith("Math.")),
      [],
      kernel.run.name,
    );
  }
});
