/**
 * Makes gpu.js compile faster code for `webasm`, by private methods of its compiler. What kernels return
 * stays the same, bit for bit, as long as no number is NaN:
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
 *
 * And elements of arrays of three dimensions, which gpu.js would read where they are, are a source's light, and
 * interpolated: see `light.ts`.
 */
import { WebAssemblyFunctionNode } from "gpu.js";
import { channelOf, PlacedLight, stored } from "./light.ts";
import {
  hasRelaxed,
  LOAD32_LANE,
  LOAD32_ZERO,
  leb128,
  RELAXED_LANESELECT,
  TRUNCATE,
} from "./opcodes.ts";
import type { ArrayLayout, Emitter, Expression, VectorCompiler } from "./vector-compiler.ts";

const compiler = WebAssemblyFunctionNode.prototype as unknown as VectorCompiler;

function selectLanes(this: Emitter): Emitter {
  this.bytes.push(...RELAXED_LANESELECT);
  return this;
}

function truncate(this: Emitter): Emitter {
  this.bytes.push(...TRUNCATE);
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
  em.i32x4TruncSatF32x4S = truncate;
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

/** Binary logarithm of an element's bytes. */
const ELEMENT_SHIFT = 2;

compiler.vGather = function (table, name, x, y, z) {
  const { em, assembler } = this;
  if (assembler === null) throw new Error("vectors are not analysed");
  const array = assembler.layout[table][name];
  if (y !== undefined && z !== undefined) {
    emitLight(this, array, z, y, x);
    return "vf32";
  }
  const { offset, flatLength, dims } = array;
  const row = wholeOf(y);
  if (isThreadX(this, x) && row !== null) {
    // Reads up to three elements beyond the last lane that is in the array: the result's memory follows.
    const first = offset + 4 * Math.min(row * dims[0], flatLength);
    em.globalGet(assembler.globals.threadX).i32Const(ELEMENT_SHIFT).i32Shl();
    em.v128Load(first, 2);
    return "vf32";
  }
  emitIndex(this, x);
  if (y !== undefined) {
    emitIndex(this, y);
    em.i32Const(dims[0]).i32x4Splat().i32x4Mul().i32x4Add();
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

const loadElement = compiler.emitFlatLoad;

compiler.emitFlatLoad = function (table, name, x, y, z, expression) {
  if (this.assembler === null || y === undefined || z === undefined) {
    return loadElement.call(this, table, name, x, y, z, expression);
  }
  emitOneLight(this, this.assembler.layout[table][name], z, y, x);
  return "f32";
};

/** The light that a function has computed last. */
interface ComputedLight {
  /** The array, the local variables of the place, and the interpolation. */
  readonly key: string;
  readonly light: PlacedLight;
}

/** By function; nothing where a branch, a loop or another value of the place may have come between. */
const computed = new WeakMap<Emitter, ComputedLight>();

/**
 * Leaves a channel of the light at four fractional places: what several channels share is computed once. A place is two
 * variables.
 */
function emitLight(
  node: VectorCompiler,
  layout: ArrayLayout,
  row: Expression,
  column: Expression,
  channel: Expression,
): void {
  const { em } = node;
  const [interpolation, index] = channelOf(channel);
  const at = (expression: Expression) => {
    node.vCoerce(node.vexpr(expression), "vf32");
    return stored(em);
  };
  const place = [row, column].map(({ name = "" }) => node.locals.get(name)?.index);
  const key = [layout.offset, ...place, interpolation].join();
  let last = computed.get(em);
  if (last?.key !== key) {
    const light = new PlacedLight(em, layout, at(column), at(row), interpolation, 4);
    last = { key, light };
    forgetLater(em, place);
    if (!place.includes(undefined)) computed.set(em, last);
  }
  last.light.emit(index);
}

/** Forgets what is computed when a branch or loop begins or ends, and when one of some local variables changes. */
function forgetLater(em: Emitter, locals: readonly (number | undefined)[]): void {
  const own = Object.getPrototypeOf(em) as Emitter;
  for (const name of ["loop", "else_", "end"] as const) {
    em[name] = (...given) => {
      computed.delete(em);
      return own[name].apply(em, given);
    };
  }
  em.localSet = (local) => {
    if (locals.includes(local)) computed.delete(em);
    return own.localSet.call(em, local);
  };
}

/** The same at one place. */
function emitOneLight(
  node: VectorCompiler,
  layout: ArrayLayout,
  row: Expression,
  column: Expression,
  channel: Expression,
): void {
  const { em } = node;
  const [interpolation, index] = channelOf(channel);
  const at = (expression: Expression) => {
    node.coerce(node.expression(expression), "f32");
    em.f32x4Splat();
    return stored(em);
  };
  new PlacedLight(em, layout, at(column), at(row), interpolation, 1).emit(index);
  em.f32x4ExtractLane(0);
}

/** Returns the value of an index that is a whole number in the source, or absent; else null. */
function wholeOf(index: Expression | undefined): number | null {
  if (index === undefined) return 0;
  return index.type === "Literal" && Number.isInteger(index.value) ? Number(index.value) : null;
}

const isThreadX = (node: VectorCompiler, index: Expression): boolean =>
  index.type === "MemberExpression" &&
  index.property?.name === "x" &&
  node.getVariableSignature(index) === "this.thread.value";
