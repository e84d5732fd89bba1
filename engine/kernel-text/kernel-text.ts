/**
 * Rewrites the source text of a kernel for gpu.js (shaders/README.md says what a kernel may contain).
 * gpu.js runs helpers one pixel at a time, passes them no arrays, and supports neither records nor
 * objects. So
 * - a call of a helper becomes the helper's statements,
 * - a field of a record becomes an index, and an object a variable for each of its properties,
 * - named numbers become literals, sums and products of integer literals their value, and a division
 *   by a power of two a multiplication: the same bits at a fraction of the cost on `webasm`.
 */
import type {
  AnyNode,
  CallExpression,
  Expression,
  MemberExpression,
  Statement,
  VariableDeclaration,
} from "acorn";
import type { Helper, Kernel } from "../../shaders/kernel.ts";
import { nameOf, type ParsedFunction, parsed, usesOf } from "./parsed-function.ts";
import {
  binary,
  elementOf,
  expression,
  isNamed,
  memberOf,
  named,
  operand,
  recordOf,
  type Text,
  term,
  type Value,
  viewOf,
} from "./values.ts";
import { assignment, declaration, VariableNames } from "./variables.ts";

/** The names in scope of a block. */
interface Scope {
  readonly of: ParsedFunction;
  readonly names: Map<string, Value>;
  /** Prefix of the names that the function declares; empty for the kernel itself. */
  readonly prefix: string;
}

const texts = new WeakMap<Kernel, string>();

/** Returns a kernel's text for gpu.js. Throws for unsupported syntax. */
export function kernelText(kernel: Kernel): string {
  const text = texts.get(kernel) ?? new Rewriting(kernel).text();
  texts.set(kernel, text);
  return text;
}

class Rewriting {
  readonly #kernel: Kernel;
  readonly #helpers: ReadonlyMap<string, Helper>;
  /** Helpers whose calls are being replaced, outermost first. */
  readonly #calls: string[] = [];
  readonly #variables = new VariableNames();
  /** Statements to insert before the current one; null if there can be none. */
  #before: string[] | null = [];

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    const { helpers = [], replacements } = kernel;
    this.#helpers = new Map(helpers.map((one) => [one.name, replacements?.get(one) ?? one]));
  }

  text(): string {
    const { run, records = {} } = this.#kernel;
    const of = parsed(run);
    const names = new Map<string, Value>(of.parameters.map((name) => [name, named(name)]));
    for (const name of of.parameters) this.#variables.unique(name);
    try {
      for (const [name, layout] of Object.entries(records)) {
        if (!names.has(name)) throw new Error(`there is no parameter ${name}`);
        names.set(name, viewOf(name, layout));
      }
      const body = this.#block(of.body, { of, names, prefix: "" });
      return `function ${of.name}(${of.parameters.join(", ")}) {\n${body}\n}`;
    } catch (cause) {
      const where = [run.name, ...this.#calls].join(" › ");
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`kernel ${where}: ${why}`, { cause });
    }
  }

  #block(statements: readonly Statement[], scope: Scope): string {
    const inner = { ...scope, names: new Map(scope.names) };
    return statements.flatMap((statement) => this.#statement(statement, inner)).join("\n");
  }

  /** Returns a statement, preceded by the inserted ones. */
  #statement(node: Statement, scope: Scope): string[] {
    const before: string[] = [];
    const text = this.#with(before, () => this.#bareStatement(node, scope));
    return text === "" ? before : [...before, text];
  }

  /** Runs `render` with another list of statements to insert, or none. */
  #with<T>(before: string[] | null, render: () => T): T {
    const outer = this.#before;
    this.#before = before;
    const rendered = render();
    this.#before = outer;
    return rendered;
  }

  #bareStatement(node: Statement, scope: Scope): string {
    switch (node.type) {
      case "BlockStatement":
        return `{\n${this.#block(node.body, scope)}\n}`;
      case "VariableDeclaration":
        return this.#declarations(node, scope).join("\n");
      case "ExpressionStatement":
        return this.#expressionStatement(node.expression, scope);
      case "ReturnStatement":
        if (scope.prefix !== "") throw new Error("a helper returns once, at its end");
        return node.argument ? `return ${this.#number(node.argument, scope)};` : "return;";
      case "IfStatement": {
        const test = this.#number(node.test, scope);
        const otherwise = node.alternate ? ` else ${this.#body(node.alternate, scope)}` : "";
        return `if (${test}) ${this.#body(node.consequent, scope)}${otherwise}`;
      }
      case "ForStatement": {
        const inner = { ...scope, names: new Map(scope.names) };
        const init = node.init ? this.#loopStart(node.init, inner) : "";
        const head = (part: Expression | null | undefined) =>
          part ? this.#with(null, () => this.#number(part, inner)) : "";
        return `for (${init}; ${head(node.test)}; ${head(node.update)}) ${this.#body(node.body, inner)}`;
      }
      case "BreakStatement":
        return "break;";
      case "ContinueStatement":
        return "continue;";
      default:
        throw new Error(`${node.type} is not for kernels`);
    }
  }

  /** Returns the body of a condition or a loop as a block. */
  #body(node: Statement, scope: Scope): string {
    return `{\n${this.#block(node.type === "BlockStatement" ? node.body : [node], scope)}\n}`;
  }

  #loopStart(node: VariableDeclaration | Expression, scope: Scope): string {
    if (node.type !== "VariableDeclaration") return this.#number(node, scope);
    const declarations = this.#declarations(node, scope);
    if (declarations.length !== 1) throw new Error("a loop declares one counter");
    return declarations.join("").replace(/;$/, "");
  }

  #declarations({ kind, declarations }: VariableDeclaration, scope: Scope): string[] {
    return declarations.flatMap(({ id, init }) => {
      if (!init) throw new Error("a variable begins with a value");
      const value = this.#value(init, scope);
      if (id.type === "Identifier") return this.#declare(kind, id.name, value, scope);
      if (id.type !== "ObjectPattern") throw new Error(`${id.type} is not for kernels`);
      return id.properties.flatMap((property) => {
        if (property.type !== "Property" || property.value.type !== "Identifier") {
          throw new Error("a pattern gives properties to variables, nothing else");
        }
        const part = memberOf(value, nameOf(property.key));
        return this.#declare(kind, property.value.name, part, scope);
      });
    });
  }

  #declare(kind: string, name: string, value: Value, scope: Scope): readonly string[] {
    const declared = declaration(kind, scope.prefix + name, value, this.#variables);
    scope.names.set(name, declared.value);
    return declared.lines;
  }

  #expressionStatement(node: Expression, scope: Scope): string {
    const target =
      node.type === "AssignmentExpression" && node.left.type === "Identifier"
        ? scope.names.get(node.left.name)
        : undefined;
    if (node.type !== "AssignmentExpression" || target?.kind !== "object") {
      return `${this.#number(node, scope)};`;
    }
    const value = this.#value(node.right, scope);
    return assignment(target, value, this.#variables).join("\n");
  }

  /** Returns a number or an array as text. */
  #number(node: AnyNode, scope: Scope): string {
    return this.#text(node, scope).text;
  }

  #text(node: AnyNode, scope: Scope): Text {
    const value = this.#value(node, scope);
    if (value.kind === "text") return value;
    throw new Error(`${scope.of.text.slice(node.start, node.end)} is a record, not a number`);
  }

  #value(node: AnyNode, scope: Scope): Value {
    const number = (part: AnyNode) => this.#number(part, scope);
    const part = (one: AnyNode) => operand(this.#text(one, scope));
    switch (node.type) {
      case "Identifier":
        return this.#variable(node.name, scope);
      case "Literal":
        return named(scope.of.text.slice(node.start, node.end));
      case "ThisExpression":
        if (scope.prefix !== "") throw new Error("a helper has no this; hand it what it needs");
        return named("this");
      case "MemberExpression":
        return this.#memberExpression(node, scope);
      case "CallExpression":
        return this.#call(node, scope);
      case "ObjectExpression": {
        const parts = node.properties.map((property) => {
          if (property.type !== "Property") throw new Error("an object is written out");
          return [nameOf(property.key), this.#text(property.value, scope)] as const;
        });
        return { kind: "object", parts: new Map(parts) };
      }
      case "ConditionalExpression": {
        const either = this.#with(null, () => `${part(node.consequent)} : ${part(node.alternate)}`);
        return expression(`${part(node.test)} ? ${either}`);
      }
      case "LogicalExpression": {
        const right = this.#with(null, () => part(node.right));
        return expression(`${part(node.left)} ${node.operator} ${right}`);
      }
      case "BinaryExpression": {
        const left = this.#text(node.left, scope);
        return binary(left, node.operator, this.#text(node.right, scope));
      }
      case "UnaryExpression":
        return expression(`${node.operator}${part(node.argument)}`);
      case "UpdateExpression":
        return expression(`${number(node.argument)}${node.operator}`);
      case "AssignmentExpression":
        return expression(`${number(node.left)} ${node.operator} ${number(node.right)}`);
      default:
        throw new Error(`${node.type} is not for kernels`);
    }
  }

  #variable(name: string, scope: Scope): Value {
    const value = name === "Math" ? named(name) : scope.names.get(name);
    if (value !== undefined) return value;
    const { literals = {} } = this.#kernel;
    // A bundler appends digits to a constant whose name another module has too.
    const literal = literals[name] ?? literals[name.replace(/\d+$/, "")];
    if (literal === undefined) throw new Error(`${name} is not among the kernel's literals`);
    return literal < 0 ? expression(String(literal)) : named(String(literal));
  }

  #memberExpression({ object, property, computed }: MemberExpression, scope: Scope): Value {
    const of = this.#value(object, scope);
    return computed ? elementOf(of, this.#text(property, scope)) : memberOf(of, nameOf(property));
  }

  #call({ callee, arguments: given }: CallExpression, scope: Scope): Value {
    if (callee.type !== "Identifier") {
      const args = given.map((argument) => this.#number(argument, scope));
      return term(`${this.#number(callee, scope)}(${args.join(", ")})`);
    }
    const args = given.map((argument) => this.#value(argument, scope));
    if (callee.name === "recordAt") return recordOf(args[0], args[1]);
    const helper = this.#helpers.get(callee.name);
    if (helper === undefined) throw new Error(`${callee.name} is not among the kernel's helpers`);
    if (this.#calls.includes(helper.name)) throw new Error(`${helper.name} calls itself`);
    this.#calls.push(helper.name);
    const value = this.#inline(parsed(helper), args);
    this.#calls.pop();
    return value;
  }

  /** Inserts the statements of a helper before the current one, and returns its result. */
  #inline(helper: ParsedFunction, args: readonly Value[]): Value {
    const { name, parameters, body } = helper;
    const scope: Scope = {
      of: helper,
      names: new Map(),
      prefix: `${name}_${this.#variables.next()}_`,
    };
    parameters.forEach((parameter, index) => {
      const value = args[index];
      if (value === undefined) throw new Error(`${parameter} is not given`);
      const { assigned, repeated } = usesOf(parameter, helper);
      const parts = value.kind === "object" ? [...value.parts.values()] : [value];
      const isCheap = parts.every((part) => isNamed(part) || (part.kind === "text" && !repeated));
      if (isCheap && !assigned) scope.names.set(parameter, value);
      else this.#put(this.#declare(assigned ? "let" : "const", parameter, value, scope));
    });
    const last = body.at(-1);
    if (last?.type !== "ReturnStatement" || !last.argument) {
      throw new Error("a helper ends with what it returns");
    }
    for (const statement of body.slice(0, -1)) this.#put(this.#statement(statement, scope));
    return this.#value(last.argument, scope);
  }

  #put(statements: readonly string[]): void {
    if (this.#before === null) {
      throw new Error(
        "a helper of several statements is not called in ?:, after && or ||, or in a loop's head",
      );
    }
    this.#before.push(...statements);
  }
}
