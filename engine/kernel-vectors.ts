/**
 * Makes gpu.js compile faster code for `webasm`, by private methods of its compiler. What kernels return
 * stays the same, bit for bit, as long as no number is NaN.
 *
 * - Lanes of a vector that are not in a branch keep the values of its variables: gpu.js selects between the
 *   old and the new value at each assignment. For a variable that is declared in the branch nothing reads
 *   the old value, but the selection makes it live across the loop or branch, and hundreds of such vectors in
 *   a large kernel are moved to the stack and back. Here a declaration is a plain assignment.
 * - Elements at `this.thread.x` lie side by side, and are one load instead of four.
 * - Other elements are loaded into their lanes, with one shift and one comparison for all four indices.
 * - `Math.min` and `Math.max` are one instruction instead of eight, which NaN and the sign of zero need.
 * - With relaxed SIMD a selection is one instruction instead of three, and an index becomes an integer by one instead of
 *   five. Neither depends on the machine here: a mask has all bits of a lane or none, and lanes of the current branch
 *   have indices that an integer holds.
 */
import { WebAssemblyFunctionNode } from "gpu.js";

/** Appends instructions to a function; what they take and leave lies on WebAssembly's stack. */
interface Emitter {
  readonly bytes: number[];
  addLocal(type: "v128"): number;
  localGet(local: number): Emitter;
  localSet(local: number): Emitter;
  globalGet(global: number): Emitter;
  i32Const(value: number): Emitter;
  i32Shl(): Emitter;
  i32x4Add(): Emitter;
  i32x4ExtractLane(lane: number): Emitter;
  i32x4MinU(): Emitter;
  i32x4Mul(): Emitter;
  i32x4Shl(): Emitter;
  i32x4Splat(): Emitter;
  i32x4TruncSatF32x4S(): Emitter;
  v128Bitselect(): Emitter;
  v128Load(offset: number, align: number): Emitter;
  f32x4Min(): Emitter;
  f32x4Max(): Emitter;
  f32x4Pmin(): Emitter;
  f32x4Pmax(): Emitter;
}

/** Where an array lies in the module's memory. */
interface ArrayLayout {
  /** In bytes. */
  readonly offset: number;
  readonly flatLength: number;
  /** Length of a row, rows, planes. */
  readonly dims: readonly number[];
}

/** An expression of the kernel's source. */
interface Expression {
  readonly type: string;
  readonly value?: unknown;
  readonly property?: { readonly name?: string };
}

type Table = "arrays" | "constantArrays";

/** What gpu.js's compiler of functions to WebAssembly vectors holds, by private names. */
interface VectorCompiler {
  readonly em: Emitter;
  readonly assembler: {
    readonly layout: Readonly<Record<Table, Readonly<Record<string, ArrayLayout>>>>;
    readonly globals: { readonly threadX: number };
  };
  /** Branches and loops around the current statement whose lanes may differ. */
  vMaskDepth: number;
  getVariableSignature(expression: Expression): string | null;
  /** Leaves an index as four integers. */
  vEmitIndex(index: Expression): void;
  /** Assigns to a local variable, in the lanes of the current branch. */
  vSetLocal(index: number): void;
  /** Compiles the declaration of a scalar whose value differs between lanes. */
  vSetVaryingScalar(name: string, wasmType: string, type: string, initialise: () => void): void;
  /** Compiles a call of a function of `Math`. */
  vMathCall(name: string, call: Expression): string;
  /** Compiles the reading of an array's elements, which differ between lanes. */
  vGather(
    table: Table,
    name: string,
    x: Expression,
    y: Expression | undefined,
    z: Expression | undefined,
    expression: Expression,
  ): string;
}

const compiler = WebAssemblyFunctionNode.prototype as unknown as VectorCompiler;

/** Opcodes of relaxed SIMD, which gpu.js's emitter lacks. */
const RELAXED_LANESELECT = [0xfd, 0x8b, 0x02];
const RELAXED_TRUNCATE = [0xfd, 0x81, 0x02];

/** A module with a function that truncates a vector. */
const RELAXED_MODULE = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[0x01, 0x06, 0x01, 0x60, 0x01, 0x7b, 0x01, 0x7b, 0x03, 0x02, 0x01, 0x00],
  ...[0x0a, 0x09, 0x01, 0x07, 0x00, 0x20, 0x00, ...RELAXED_TRUNCATE, 0x0b],
);
const hasRelaxed = typeof WebAssembly !== "undefined" && WebAssembly.validate(RELAXED_MODULE);

function selectLanes(this: Emitter): Emitter {
  this.bytes.push(...RELAXED_LANESELECT);
  return this;
}

function truncate(this: Emitter): Emitter {
  this.bytes.push(...RELAXED_TRUNCATE);
  return this;
}

const setLocal = compiler.vSetLocal;

compiler.vSetLocal = function (index) {
  // From here on for all selections of the function.
  if (hasRelaxed) this.em.v128Bitselect = selectLanes;
  setLocal.call(this, index);
};

/** Leaves an index as four integers. Integers within its expression are truncated in the same way. */
function emitIndex(node: VectorCompiler, index: Expression): void {
  const { em } = node;
  const saturating = em.i32x4TruncSatF32x4S;
  if (hasRelaxed) em.i32x4TruncSatF32x4S = truncate;
  node.vEmitIndex(index);
  em.i32x4TruncSatF32x4S = saturating;
}

const declare = compiler.vSetVaryingScalar;

compiler.vSetVaryingScalar = function (name, wasmType, type, initialise) {
  const depth = this.vMaskDepth;
  declare.call(this, name, wasmType, type, () => {
    initialise();
    this.vMaskDepth = 0;
  });
  this.vMaskDepth = depth;
};

const callMath = compiler.vMathCall;

compiler.vMathCall = function (name, call) {
  const { em } = this;
  em.f32x4Min = em.f32x4Pmin;
  em.f32x4Max = em.f32x4Pmax;
  return callMath.call(this, name, call);
};

/** Opcodes of vectors that gpu.js's emitter lacks; an alignment of 2² bytes follows each. */
const LOAD32_ZERO = [0xfd, 0x5c, 2];
const LOAD32_LANE = [0xfd, 0x56, 2];

/** Binary logarithm of an element's bytes. */
const ELEMENT_SHIFT = 2;

compiler.vGather = function (table, name, x, y, z) {
  const { em } = this;
  const { offset, flatLength, dims } = this.assembler.layout[table][name];
  const row = wholeOf(y);
  if (isThreadX(this, x) && row !== null && z === undefined) {
    // Reads up to three elements beyond the last lane that is in the array: the result's memory follows.
    const first = offset + 4 * Math.min(row * dims[0], flatLength);
    em.globalGet(this.assembler.globals.threadX).i32Const(ELEMENT_SHIFT).i32Shl();
    em.v128Load(first, 2);
    return "vf32";
  }
  emitIndex(this, x);
  for (const [index, step] of [
    [y, dims[0]],
    [z, dims[0] * dims[1]],
  ] as const) {
    if (index === undefined) continue;
    emitIndex(this, index);
    em.i32Const(step).i32x4Splat().i32x4Mul().i32x4Add();
  }
  // Lanes that are not in the current branch may have any index.
  const last = flatLength - 1;
  const at = em.addLocal("v128");
  const values = em.addLocal("v128");
  em.i32Const(last).i32x4Splat().i32x4MinU();
  em.i32Const(ELEMENT_SHIFT).i32x4Shl().localSet(at);
  em.localGet(at).i32x4ExtractLane(0);
  em.bytes.push(...LOAD32_ZERO, ...leb128(offset));
  em.localSet(values);
  for (let lane = 1; lane < 4; lane++) {
    em.localGet(at).i32x4ExtractLane(lane).localGet(values);
    em.bytes.push(...LOAD32_LANE, ...leb128(offset), lane);
    em.localSet(values);
  }
  em.localGet(values);
  return "vf32";
};

/** Returns the value of an index that is a whole number in the source, or absent; else null. */
function wholeOf(index: Expression | undefined): number | null {
  if (index === undefined) return 0;
  return index.type === "Literal" && Number.isInteger(index.value) ? Number(index.value) : null;
}

const isThreadX = (node: VectorCompiler, index: Expression): boolean =>
  index.type === "MemberExpression" &&
  index.property?.name === "x" &&
  node.getVariableSignature(index) === "this.thread.value";

/** Returns an unsigned number as WebAssembly stores it: 7 bits a byte, the lowest first. */
function leb128(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
  bytes.push(rest);
  return bytes;
}
