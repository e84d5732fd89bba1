/** A tool as data: what it takes, what it gives, what it does. */
import Type, { type Static, type TObject, type TProperties } from "typebox";
import { type InputCheck, inputCheck } from "../actions/input.ts";
import type { Account, Services } from "../actions/services.ts";

/** How a tool behaves, for clients that ask people before they let it run. */
export interface Behaviour {
  /** It changes nothing. */
  readonly readOnly?: boolean;
  /** It may remove or overwrite something. */
  readonly destructive?: boolean;
  /** Doing it twice does no more than doing it once. */
  readonly idempotent?: boolean;
  /** It reaches addresses outside of the service. */
  readonly openWorld?: boolean;
}

export interface ToolCall<Input> {
  readonly services: Services;
  readonly account: Account;
  readonly input: Input;
  /** Aborts when the caller cancels or goes away. */
  readonly signal: AbortSignal;
}

/** A picture for the caller to see, with what there is to say of it. */
export interface ImageResponse {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly facts: object;
}

interface Common<Input extends TObject> {
  /** As it is called: `create_pattern`. */
  readonly name: string;
  readonly title: string;
  /** For a model that has to decide whether to call it, and how. */
  readonly description: string;
  readonly input: Input;
  readonly isChange: boolean;
  readonly behaviour: Behaviour;
  /** Credits. */
  readonly cost: number;
  /** A call of it. */
  readonly example: object;
  readonly check: InputCheck<Input>;
}

/** A tool that answers with facts, described by `output`. */
export interface DataTool<Input extends TObject = TObject> extends Common<Input> {
  readonly kind: "data";
  readonly output: TObject;
  run(call: ToolCall<Static<Input>>): Promise<object>;
}

/** A tool that answers with a picture. */
export interface PictureTool<Input extends TObject = TObject> extends Common<Input> {
  readonly kind: "picture";
  run(call: ToolCall<Static<Input>>): Promise<ImageResponse>;
}

export type Tool = DataTool | PictureTool;

interface Definition<Properties extends TProperties> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What it takes, by name. */
  readonly input: Properties;
  readonly behaviour: Behaviour;
  /** Credits. Left out: none. */
  readonly cost?: number;
  /** Arguments of a call that makes sense; the description ends with them. */
  readonly example: object;
  /** Whether what is left out stays as it is, instead of taking its default. */
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

/** Defines a tool that answers with facts; its `run` sees the input with its own types. */
export function dataTool<Properties extends TProperties>(
  definition: Definition<Properties> & {
    readonly output: TObject;
    run(call: ToolCall<Input<Properties>>): Promise<object>;
  },
): Tool {
  const { output, run } = definition;
  return { kind: "data", ...common(definition), output, run } as unknown as Tool;
}

/** Defines a tool that answers with a picture. */
export function pictureTool<Properties extends TProperties>(
  definition: Definition<Properties> & {
    run(call: ToolCall<Input<Properties>>): Promise<ImageResponse>;
  },
): Tool {
  return { kind: "picture", ...common(definition), run: definition.run } as unknown as Tool;
}
