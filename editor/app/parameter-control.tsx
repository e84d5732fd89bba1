/** The control of a parameter, by its JSON Schema. */
import { formatNumber, t, titleOf } from "../shared/messages.ts";
import { Select, Slider } from "./controls.tsx";
import { endGesture } from "./history.ts";
import { Inks } from "./inks.tsx";
import { palettes } from "./workspace.ts";

export interface ParameterSchema {
  readonly type?: "number" | "integer" | "string" | "boolean" | "array";
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly ParameterSchema[];
  readonly default?: unknown;
}

export interface ParameterControlProps {
  readonly name: string;
  readonly schema: ParameterSchema;
  /** Left out: the default. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

type EffectInks = Parameters<typeof Inks>[0]["inks"];

/** Beyond it a range is no slider: numbers such as seeds have no order that one sees. */
const LARGEST_RANGE = 10_000;
/** Steps of a slider. */
const STEPS = 200;

export function ParameterControl({ name, schema, value, onChange }: ParameterControlProps) {
  const label = titleOf("parameter", name, inWords(name));
  const shown = value ?? schema.default;
  const names = schema.enum ?? schema.anyOf?.find((one) => one.enum !== undefined)?.enum;
  if (names !== undefined) {
    return (
      <Select
        label={label}
        value={String(shown)}
        onChange={(next) => {
          onChange(next);
          endGesture();
        }}
      >
        {names.map((one) => (
          <option key={one} value={one}>
            {nameOf(one)}
          </option>
        ))}
      </Select>
    );
  }
  const { type, minimum = 0, maximum = 1 } = schema;
  // The only lists are inks.
  if (type === "array") {
    return <Inks label={label} inks={value as EffectInks} onChange={onChange} />;
  }
  if (type === "string") {
    return (
      <label class="field">
        {label}
        <input
          type="color"
          value={String(shown)}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
          onChange={endGesture}
        />
      </label>
    );
  }
  if (maximum - minimum > LARGEST_RANGE) {
    return (
      <button type="button" class="wide" onClick={() => onChange(Number(shown) + 1)}>
        {t("effects.seed")}
      </button>
    );
  }
  const step = type === "integer" ? 1 : fineStep((maximum - minimum) / STEPS);
  return (
    <Slider
      label={label}
      min={minimum}
      max={maximum}
      step={step}
      value={Number(shown)}
      text={formatNumber(Number(shown), PRECISE)}
      onChange={onChange}
    />
  );
}

/** Steps of a slider may be small. */
const PRECISE = { maximumFractionDigits: 6 } as const;

/** Returns the name of a value, which may be a palette. */
function nameOf(value: string): string {
  const palette = palettes.value.find(({ name }) => name === value);
  if (palette !== undefined) return titleOf("palette", value, palette.title);
  return titleOf("value", value, inWords(value));
}

/** Returns the largest of 1, 2 and 5 times a power of ten that is not larger. */
function fineStep(largest: number): number {
  const power = 10 ** Math.floor(Math.log10(largest));
  const times = [5, 2, 1].find((factor) => factor * power <= largest) ?? 1;
  return Number((times * power).toPrecision(1));
}

/** `gap_colour` is "Gap colour". */
const inWords = (name: string) => {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};
