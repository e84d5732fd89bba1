/**
 * Makes gpu.js compile declarations within branches and loops to plain assignments on `webasm`.
 *
 * Lanes of a vector that are not in a branch keep the values of its variables: gpu.js selects between
 * the old and the new value at each assignment. For a variable that is declared in the branch nothing
 * reads the old value, but the selection makes it live across the loop or branch, and hundreds of such
 * vectors in a large kernel are moved to the stack and back: a third of a mockup.
 */
import { WebAssemblyFunctionNode } from "gpu.js";

/** What gpu.js's compiler of functions to WebAssembly vectors holds, by private names. */
interface VectorCompiler {
  /** Branches and loops around the current statement whose lanes may differ. */
  vMaskDepth: number;
  /** Compiles the declaration of a scalar whose value differs between lanes. */
  vSetVaryingScalar(name: string, wasmType: string, type: string, initialise: () => void): void;
}

const compiler = WebAssemblyFunctionNode.prototype as unknown as VectorCompiler;
const declare = compiler.vSetVaryingScalar;

compiler.vSetVaryingScalar = function (name, wasmType, type, initialise) {
  const depth = this.vMaskDepth;
  declare.call(this, name, wasmType, type, () => {
    initialise();
    this.vMaskDepth = 0;
  });
  this.vMaskDepth = depth;
};
