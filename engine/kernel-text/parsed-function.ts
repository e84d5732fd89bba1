/** Syntax trees of kernels and helpers. */
import {
  type ArrowFunctionExpression,
  type Expression,
  type FunctionExpression,
  type Node,
  parseExpressionAt,
  type Statement,
} from "acorn";
import type { Helper, KernelFunction } from "../../shaders/kernel.ts";

export interface ParsedFunction {
  readonly name: string;
  /** Offset of the tree's positions. */
  readonly text: string;
  readonly parameters: readonly string[];
  readonly body: readonly Statement[];
}

const known = new WeakMap<Helper | KernelFunction, ParsedFunction>();

/** Parses a function, with a cache. Throws if it is not a plain function. */
export function parsed(of: Helper | KernelFunction): ParsedFunction {
  const before = known.get(of);
  if (before !== undefined) return before;
  const text = `(${of.toString()})`;
  const node = parseExpressionAt(text, 0, { ecmaVersion: 2024 });
  if (!isFunction(node)) throw new Error(`kernel ${of.name}: kernels are plain functions`);
  const parameters = node.params.map((parameter) => {
    if (parameter.type !== "Identifier") throw new Error(`kernel ${of.name}: parameters are names`);
    return parameter.name;
  });
  const { body } = node;
  const made: ParsedFunction = {
    name: of.name,
    text,
    parameters,
    body:
      body.type === "BlockStatement"
        ? body.body
        : [{ type: "ReturnStatement", argument: body, start: body.start, end: body.end }],
  };
  known.set(of, made);
  return made;
}

const isFunction = (node: Expression): node is FunctionExpression | ArrowFunctionExpression =>
  node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression";

/**
 * Whether a function assigns to a parameter, and whether it reads it more than once: of an object
 * any one property.
 */
export function usesOf(
  parameter: string,
  { body }: ParsedFunction,
): { readonly assigned: boolean; readonly repeated: boolean } {
  const reads = new Map<string, number>();
  let assigned = false;
  const visit = (node: unknown, weight: number): void => {
    if (Array.isArray(node)) for (const one of node) visit(one, weight);
    if (!isNode(node)) return;
    const property = propertyOf(node, parameter);
    if (property !== null) {
      reads.set(property, (reads.get(property) ?? 0) + weight);
      return;
    }
    if (isNamed(targetOf(node), parameter)) assigned = true;
    const inside = node.type === "ForStatement" ? 2 : weight;
    for (const [key, child] of Object.entries(node)) {
      // Names of fields are not variables.
      const isField = (key === "property" || key === "key") && "computed" in node && !node.computed;
      if (!isField) visit(child, inside);
    }
  };
  visit(body, 1);
  const { "": bare = 0, ...properties } = Object.fromEntries(reads);
  return { assigned, repeated: bare + Math.max(0, ...Object.values(properties)) > 1 };
}

/** Returns the property of `name` that a node reads, empty for all of it; null for other nodes. */
function propertyOf(node: Node, name: string): string | null {
  if (isNamed(node, name)) return "";
  const isMember = node.type === "MemberExpression" && "computed" in node && !node.computed;
  if (!isMember || !("object" in node && isNamed(node.object, name))) return null;
  return "property" in node && isNode(node.property) ? nameOf(node.property) : null;
}

/** Returns the target of an assignment. */
function targetOf(node: Node): unknown {
  if (node.type === "AssignmentExpression" && "left" in node) return node.left;
  return node.type === "UpdateExpression" && "argument" in node ? node.argument : null;
}

/** Returns the name of an identifier; empty for other nodes. */
export const nameOf = (node: Node): string => ("name" in node ? String(node.name) : "");

const isNamed = (node: unknown, name: string) =>
  isNode(node) && node.type === "Identifier" && nameOf(node) === name;

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
