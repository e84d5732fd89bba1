/** Names the functions of gpu.js's WebAssembly modules, which profiles show as `wasm-function[3]`. */
import { WebAssemblyKernel } from "gpu.js";

/** The part of gpu.js's kernels that assembles a module; it is not in its types. */
interface Assembler {
  readonly source: string;
  _assembleModule(...args: unknown[]): { readonly bytes: Uint8Array };
}

/** From now on the functions of each module carry the name of its kernel. */
export function nameKernels(): void {
  const prototype = WebAssemblyKernel.prototype as unknown as Assembler;
  const assemble = prototype._assembleModule;
  prototype._assembleModule = function (...args) {
    const assembled = assemble.apply(this, args);
    const [, kernel = "kernel"] = /^function (\w+)/.exec(this.source) ?? [];
    return { ...assembled, bytes: withFunctionNames(assembled.bytes, kernel) };
  };
}

/** Sections by number (WebAssembly 2.0, §5.5.2). */
const IMPORTS = 2;
const FUNCTIONS = 3;

const FUNCTION = 0;
const MEMORY = 2;

/**
 * Returns a module with a name section (WebAssembly 2.0, §7.4.1) that gives all of its own functions
 * the name of the kernel.
 */
function withFunctionNames(module: Uint8Array, kernel: string): Uint8Array {
  const sections = sectionsOf(module);
  const vector = (id: number) => new Reader(sections.get(id) ?? Uint8Array.of(0));
  let imported = 0;
  const imports = vector(IMPORTS);
  for (let left = imports.number(); left > 0; left--) {
    imports.text();
    imports.text();
    const kind = imports.byte();
    if (kind === FUNCTION) {
      imports.number();
      imported++;
    } else if (kind === MEMORY) {
      const hasMaximum = (imports.byte() & 1) === 1;
      imports.number();
      if (hasMaximum) imports.number();
    } else throw new RangeError(`an import of kind ${kind}`);
  }
  const own = vector(FUNCTIONS).number();
  const names = Array.from({ length: own }, (_, at) => [...leb(imported + at), ...text(kernel)]);
  const section = [
    ...text("name"),
    ...sized(0, text(kernel)),
    ...sized(1, [...leb(own), ...names.flat()]),
  ];
  return Buffer.concat([module, Uint8Array.from(sized(0, section))]);
}

/** Contents of a module's sections by number; the custom ones, 0, are not needed. */
function sectionsOf(module: Uint8Array): Map<number, Uint8Array> {
  const reader = new Reader(module, 8);
  const sections = new Map<number, Uint8Array>();
  while (!reader.done) sections.set(reader.byte(), reader.bytes(reader.number()));
  return sections;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.#at++];
  }

  bytes(count: number): Uint8Array {
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  /** An unsigned LEB128 number. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  text(): string {
    return new TextDecoder().decode(this.bytes(this.number()));
  }
}

/** A number as unsigned LEB128. */
function leb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)];
}

function text(value: string): number[] {
  const bytes = new TextEncoder().encode(value);
  return [...leb(bytes.length), ...bytes];
}

/** A section or subsection. */
const sized = (id: number, content: readonly number[]) => [id, ...leb(content.length), ...content];
