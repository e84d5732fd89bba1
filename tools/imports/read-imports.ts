/** Reads the imports of every TypeScript file of a tree. */
import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix, sep } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

/** One import of one file. Paths start at the tree's root and use `/`. */
export interface ImportEdge {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** `engine/pool/job.ts`, `npm:koa` or `node:fs`. */
  readonly target: string;
  /** Whether it is erased before the file runs: `import type`, `import("…")` in a type. */
  readonly typeOnly: boolean;
}

/** Every file of the tree with its imports, by path. */
export type ImportGraph = ReadonlyMap<string, readonly ImportEdge[]>;

/**
 * Reads every `.ts` and `.tsx` file below `root`, `node_modules` and dot folders left out. Type imports,
 * re-exports, `import("…")` in code and in types count like any other import.
 * Throws a SyntaxError with file and line for invalid TypeScript.
 */
export function readImports(root: string): ImportGraph {
  const graph = new Map<string, readonly ImportEdge[]>();
  const files = globSync("**/*.{ts,tsx}", { cwd: root, exclude: leftOut }).map((file) =>
    file.split(sep).join("/"),
  );
  for (const file of files.sort()) {
    graph.set(file, importsOf(file, readFileSync(join(root, file), "utf8")));
  }
  return graph;
}

function leftOut(path: string): boolean {
  const name = path.slice(path.lastIndexOf(sep) + 1);
  return name === "node_modules" || name.startsWith(".");
}

function importsOf(file: string, text: string): ImportEdge[] {
  const { program, errors } = parseSync(file, text);
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  if (errors.length > 0) {
    const [first] = errors;
    throw new SyntaxError(`${file}:${lineAt(first.labels[0]?.start ?? 0)}: ${first.message}`);
  }
  const edges: ImportEdge[] = [];
  const note = (source: object | null, start: number, kind?: string | null) => {
    // A computed `import(name)` has no file to check.
    if (source && "value" in source && typeof source.value === "string") {
      const target = targetOf(file, source.value);
      edges.push({ file, line: lineAt(start), target, typeOnly: kind === "type" });
    }
  };
  new Visitor({
    ImportDeclaration: (node) => note(node.source, node.start, node.importKind),
    ExportNamedDeclaration: (node) => note(node.source, node.start, node.exportKind),
    ExportAllDeclaration: (node) => note(node.source, node.start, node.exportKind),
    ImportExpression: (node) => note(node.source, node.start),
    TSImportType: (node) => note(node.source, node.start, "type"),
  }).visit(program);
  return edges;
}

function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(file), specifier);
  if (specifier.startsWith("node:")) return specifier;
  if (isBuiltin(specifier)) return `node:${specifier}`;
  const parts = specifier.split("/");
  return `npm:${parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/")}`;
}
