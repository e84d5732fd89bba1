/**
 * The texts of kernels, made before a bundler renames what stands in them: a parameter whose name
 * another module has at its top becomes another one, and records are found by their names.
 */
import { globSync } from "node:fs";
import { kernelText } from "../engine/kernel-text/kernel-text.ts";
import type { Kernel } from "../shaders/kernel.ts";

const SHADERS = new URL("../shaders/", import.meta.url);

/** Only the server draws presets, which the catalogue lists. */
const LEFT_OUT = ["presets/**", "catalog.ts"];

/**
 * Returns a module with the exports of `engine/kernel-text/kernel-text.ts` that looks texts up. Kernels
 * are told apart by the names of their functions, which the bundler has to keep. Throws where two kernels
 * of the same names differ.
 */
export async function kernelTextModule(): Promise<string> {
  const texts = new Map<string, string>();
  for (const path of globSync("**/*.ts", { cwd: SHADERS, exclude: LEFT_OUT })) {
    for (const kernel of kernelsIn(await import(new URL(path, SHADERS).href))) {
      const [key, text] = [keyOf(kernel), shortened(kernelText(kernel))];
      if ((texts.get(key) ?? text) !== text) throw new Error(`two kernels are called ${key}`);
      texts.set(key, text);
    }
  }
  return `const texts = new Map(${JSON.stringify([...texts])});
const keyOf = ${keyOf};
export const kernelText = (kernel) => texts.get(keyOf(kernel));
`;
}

/** Variables of inlined helpers, such as `sampleElement_1_x`. */
const INLINED = /\b[A-Za-z]\w*_\d+_\w+\b/g;

/** Shortens the names of the variables of inlined helpers, which are a fifth of all texts even compressed. */
function shortened(text: string): string {
  if (/\bq\d/.test(text)) throw new Error("a kernel has a variable such as q1 already");
  const names = new Map<string, string>();
  return text.replaceAll(INLINED, (name) => {
    const short = names.get(name) ?? `q${names.size}`;
    names.set(name, short);
    return short;
  });
}

const keyOf = ({ run, helpers = [], replacements = new Map() }: Kernel) =>
  [run, ...helpers, ...replacements.values()].map(({ name }) => name).join();

/** Yields the kernels among the exports of a module, and among their members. */
function* kernelsIn(value: unknown, depth = 0): Iterable<Kernel> {
  if (typeof value !== "object" || value === null || depth > 3) return;
  if ("run" in value && typeof value.run === "function") yield value as Kernel;
  else for (const member of Object.values(value)) yield* kernelsIn(member, depth + 1);
}
