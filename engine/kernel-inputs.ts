/** Arguments and constants of kernels, as gpu.js takes them. */
import { Input } from "gpu.js";

/** Arrays are flat; numbers become 32-bit floats. */
export type KernelArgument = number | Float32Array;

/** An array that a kernel reads by row and column. */
export interface Rows {
  readonly values: Float32Array;
  /** Numbers in a row. */
  readonly length: number;
}

/** Room for an array that is written after its kernel is bound. */
export interface Room {
  readonly rows: number;
  /** Elements of a row. */
  readonly length: number;
  /**
   * Numbers of an element, by default one. With several, three indices read what `engine/kernel-code/light.ts` interpolates:
   * only `webasm` does.
   */
  readonly depth?: number;
}

/** Constants of a kernel by name. */
export type KernelConstants = Readonly<Record<string, KernelArgument | Rows | Room>>;

export type Inputs = Readonly<Record<string, number | Input>>;

/** @param allocate returns the array of a constant that is written later */
export const inputsOf = (
  constants: KernelConstants,
  allocate: (name: string, room: Room) => Float32Array,
): Inputs =>
  Object.fromEntries(
    Object.entries(constants).map(([name, value]) => {
      if (typeof value === "number" || !("rows" in value)) return [name, inputOf(value)];
      const values = allocate(name, value);
      const input = arrayInput(values, [values.length]);
      const { rows, length, depth } = value;
      input.size = depth === undefined ? [length, rows] : [depth, length, rows];
      return [name, input];
    }),
  );

export function inputOf(value: KernelArgument | Rows): number | Input {
  if (typeof value === "number") return value;
  if (value instanceof Float32Array) return arrayInput(value, [value.length]);
  const { values, length } = value;
  return arrayInput(values, [length, values.length / length]);
}

/** gpu.js types Input for number[] only, but takes typed arrays too. */
const arrayInput = (values: Float32Array, size: number[]) =>
  new Input(values as unknown as number[], size as [number]);
