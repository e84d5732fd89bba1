/** Tools as data: input, output and behaviour. */
import Type, { type Static, type TObject, type TProperties } from "typebox";
import { type InputCheck, inputCheck } from "../actions/input.ts";
import type { Account, Services } from "../actions/services.ts";

/** Annotations for clients that ask users for permission. */
export interface Behaviour {
  /** Does not change anything. */
  readonly readOnly?: boolean;
  /** May delete or overwrite something. */
  readonly destructive?: boolean;
  /** Repeating a call has no further effect. */
  readonly idempotent?: boolean;
  /** Accesses external addresses. */
  readonly openWorld?: boolean;
}

export interface ToolCall<Input> {
  readonly services: Services;
  readonly account: Account;
  readonly input: Input;
  /** Aborts when the caller cancels or disconnects. */
  readonly signal: AbortSignal;
}

/** An image with its facts. */
export interface ImageResponse {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly facts: object;
}

interface Common<Input extends TObject> {
  /** Name in calls: `create_pattern`. */
  readonly name: string;
  readonly title: string;
  /** Tells a model when and how to call the tool. */
  readonly description: string;
  readonly input: Input;
  readonly isChange: boolean;
  readonly behaviour: Behaviour;
  /** Credits. */
  readonly cost: number;
  /** Arguments of an example call. */
  readonly example: object;
  readonly check: InputCheck<Input>;
}

/** A tool that returns structured data, described by `output`. */
export interface DataTool<Input extends TObject = TObject> extends Common<Input> {
  readonly kind: "data";
  readonly output: TObject;
  run(call: ToolCall<Static<Input>>): Promise<object>;
}

/** A tool that returns an image. */
export interface PictureTool<Input extends TObject = TObject> extends Common<Input> {
  readonly kind: "picture";
  run(call: ToolCall<Static<Input>>): Promise<ImageResponse>;
}

export type Tool = DataTool | PictureTool;

interface Definition<Properties extends TProperties> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Input fields by name. */
  readonly input: Properties;
  readonly behaviour: Behaviour;
  /** Cost in credits. Default: 0. */
  readonly cost?: number;
  /** Arguments of an example call, which is appended to the description. */
  readonly example: object;
  /** Whether omitted fields stay unchanged, instead of taking their defaults. */
  readonly isChange?: boolean;
}

type Input<Properties extends TProperties> = Static<TObject<Properties>>;

function common<Properties extends TProperties>(definition: Definition<Properties>) {
  const { name, title, behaviour, example, cost = 0, isChange = false } = definition;
  const price = cost === 0 ? "Free." : `Costs ${cost} credit${cost === 1 ? "" : "s"}.`;
  const description = `${definition.description} ${price}\nExample: ${JSON.stringify(example)}`;
  const input = Type.Object(definition.input, { additionalProperties: false });
  const check = inputCheck(input, { fillDefaults: !isChange });
  return { name, title, description, behaviour, cost, example, isChange, input, check };
}

/** Defines a tool that returns structured data; infers the type of its input. */
export function dataTool<Properties extends TProperties>(
  definition: Definition<Properties> & {
    readonly output: TObject;
    run(call: ToolCall<Input<Properties>>): Promise<object>;
  },
): Tool {
  const { output, run } = definition;
  return { kind: "data", ...common(definition), output, run } as Tool;
}

/** Defines a tool that returns an image. */
export function pictureTool<Properties extends TProperties>(
  definition: Definition<Properties> & {
    run(call: ToolCall<Input<Properties>>): Promise<ImageResponse>;
  },
): Tool {
  return { kind: "picture", ...common(definition), run: definition.run } as Tool;
}
