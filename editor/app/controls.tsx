/** Controls with their labels. */
import type { ComponentChildren } from "preact";
import { endGesture } from "./history.ts";

export interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** The value for people. */
  readonly text: string;
  readonly onChange: (value: number) => void;
}

export function Slider({ label, text, onChange, ...range }: SliderProps) {
  return (
    <label class="slider">
      <span>{label}</span>
      <input
        type="range"
        aria-label={label}
        aria-valuetext={text}
        {...range}
        onInput={({ currentTarget }) => onChange(currentTarget.valueAsNumber)}
        onChange={endGesture}
      />
      <span class="value">{text}</span>
    </label>
  );
}

export interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly children: ComponentChildren;
}

export function Select({ label, value, onChange, children }: SelectProps) {
  return (
    <label class="field">
      {label}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {children}
      </select>
    </label>
  );
}
