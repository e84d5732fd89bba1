/** The OpenAPI document as clients receive it, and an independent validator of its schemas. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema?: Schema;
  readonly content?: Readonly<Record<string, MediaType>>;
}

/** JSON Schema, as far as the tests read it. */
export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface MediaType {
  readonly schema: Schema;
  readonly example?: object;
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
}

export interface Response {
  readonly headers: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An operation and its place in the document. */
export interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  /** JSON pointer to the operation. */
  readonly pointer: string;
}

/** Fetches a server's document. */
export async function fetchDocument(url: string): Promise<OpenApi> {
  const response = await fetch(`${url}/api/v1/openapi.json`);
  return response.json();
}

/** Returns the document with its references resolved; none of its schemas is recursive. */
export function resolved(document: OpenApi): OpenApi {
  const find = (reference: string) =>
    pointerParts(reference).reduce<unknown>(
      (value, part) => (value as Readonly<Record<string, unknown>>)[part],
      document,
    );
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== "object" || value === null) return value;
    const { $ref }: { $ref?: string } = value;
    if ($ref?.startsWith("#/components/")) return resolve(find($ref));
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one)]));
  };
  return resolve(document) as OpenApi;
}

const pointerParts = (reference: string) =>
  reference
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

export const escapePointer = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

/**
 * Whether a path is the endpoint of a protocol with its own responses and errors: MCP's Streamable
 * HTTP, whose messages are JSON-RPC.
 */
export const isProtocol = (path: string): boolean => path === "/api/v1/mcp";

/** Whether only operators may call. */
export const isForOperators = (path: string): boolean => path.startsWith("/api/v1/operator/");

/** Whether an operation needs no credentials. */
export const isOpen = ({ security }: Operation): boolean =>
  security.length === 0 || security.some((one) => Object.keys(one).length === 0);

/** Whether a body continues until a side closes the connection. */
export const isEndless = (contentType: string | null | undefined): boolean =>
  contentType?.startsWith("text/event-stream") ?? false;

/** Whether a media type is JSON; NDJSON is a text of many values. */
export const isJson = (type: string): boolean => /\bjson$/.test(type);

/** Every operation of the document. */
export function operationsOf({ paths }: OpenApi): Placed[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      pointer: `#/paths/${escapePointer(path)}/${method}`,
    })),
  );
}

/** Describes what is wrong with a value by the schema at a JSON pointer; null: nothing. */
export type SchemaValidator = (pointer: string, value: unknown) => string | null;

/** Creates a validator from the document's schemas, formats included. */
export function createSchemaValidator(document: OpenApi): SchemaValidator {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictSchema: false });
  addFormats.default(ajv);
  ajv.addFormat("binary", true);
  ajv.addSchema(resolved(document), "document");
  const known = new Map<string, ValidateFunction>();
  return (pointer, value) => {
    let validate = known.get(pointer);
    if (!validate) {
      validate = ajv.compile({ $ref: `document${encodeURI(pointer)}` });
      known.set(pointer, validate);
    }
    return validate(value) ? null : ajv.errorsText(validate.errors, { dataVar: "" });
  };
}

/** The examples of a media type. */
export function examplesOf({ example, examples = {} }: MediaType): object[] {
  const named = Object.values(examples).map(({ value }) => value);
  return example === undefined ? named : [example, ...named];
}
