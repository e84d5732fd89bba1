/** The parts of gpu.js's compiler of vectors that are used here, by private names. */

/** Appends instructions to a function; what they take and leave lies on WebAssembly's stack. */
export interface Emitter {
  readonly bytes: number[];
  addLocal(type: "v128" | "i32"): number;
  localGet(local: number): Emitter;
  localSet(local: number): Emitter;
  globalGet(global: number): Emitter;
  /** Ends a branch or loop. */
  end(): Emitter;
  /** Ends the first of two branches. */
  else_(): Emitter;
  loop(type?: unknown): Emitter;
  i32Const(value: number): Emitter;
  i32Shl(): Emitter;
  i32x4Add(): Emitter;
  i32x4ExtractLane(lane: number): Emitter;
  i32x4Sub(): Emitter;
  i32x4MinU(): Emitter;
  i32x4Mul(): Emitter;
  i32x4Shl(): Emitter;
  i32x4Splat(): Emitter;
  i32x4TruncSatF32x4S(): Emitter;
  v128And(): Emitter;
  v128Bitselect(): Emitter;
  v128ConstF32x4(first: number, second: number, third: number, fourth: number): Emitter;
  v128Load(offset: number, align: number): Emitter;
  v128Or(): Emitter;
  f32x4Add(): Emitter;
  f32x4ConvertI32x4S(): Emitter;
  f32x4ExtractLane(lane: number): Emitter;
  f32x4Mul(): Emitter;
  f32x4Nearest(): Emitter;
  f32x4Splat(): Emitter;
  f32x4Sub(): Emitter;
  f32x4Min(): Emitter;
  f32x4Max(): Emitter;
  f32x4Pmin(): Emitter;
  f32x4Pmax(): Emitter;
}

/** Where an array lies in the module's memory. */
export interface ArrayLayout {
  /** In bytes. */
  readonly offset: number;
  readonly flatLength: number;
  /** Length of a row, rows, planes. */
  readonly dims: readonly number[];
}

/** An expression of the kernel's source. */
export interface Expression {
  readonly type: string;
  readonly value?: unknown;
  readonly name?: string;
  readonly property?: { readonly name?: string };
}

type Table = "arrays" | "constantArrays";

/** What gpu.js's compiler of functions to WebAssembly vectors holds, by private names. */
export interface VectorCompiler {
  readonly em: Emitter;
  /** Null while kernels are only analysed. */
  readonly assembler: {
    readonly layout: Readonly<Record<Table, Readonly<Record<string, ArrayLayout>>>>;
    readonly globals: { readonly threadX: number };
  } | null;
  /** Local variables by their names in the kernel's text. */
  readonly locals: ReadonlyMap<string, { readonly index?: number }>;
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
  /** Compiles an expression whose value differs between lanes; returns the type of what it leaves. */
  vexpr(expression: Expression): string;
  vCoerce(from: string, to: "vf32"): string;
  /** Compiles an expression of one number. */
  expression(expression: Expression): string;
  coerce(from: string, to: "f32"): string;
  /** Compiles the reading of an array's element. */
  emitFlatLoad(
    table: Table,
    name: string,
    x: Expression,
    y: Expression | undefined,
    z: Expression | undefined,
    expression: Expression,
  ): string;
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
