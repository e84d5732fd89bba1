/** Tilings that never repeat, with their options. */
import type { Aperiodic, RenderFields } from "../../engine/core.ts";
import { Select, Slider } from "./controls.tsx";
import { change, draft, endGesture } from "./history.ts";

type Kind = Aperiodic["kind"];

const TITLES: Readonly<Record<Kind, string>> = {
  penrose_p3: "Penrose rhombs",
  penrose_p2: "Penrose kites and darts",
  ammann_beenker: "Squares and rhombs",
  multigrid: "Rhombs in many directions",
  hat: "The hat",
  spectre: "The spectre",
  quasicrystal: "Waves in many directions",
};

/** Returns the name of a tiling for people. */
export const aperiodicTitle = (kind: Kind) => TITLES[kind];

/** Returns the fields of a square sheet of a tiling. */
export const aperiodicFields = (aperiodic: Aperiodic, side: number) =>
  ({
    mode: "aperiodic",
    size: side,
    surface_width: side,
    surface_height: side,
    aperiodic,
  }) satisfies Partial<RenderFields>;

export function AperiodicControls() {
  const { aperiodic } = draft.value;
  const { kind, n, fill, outline_width, outline_colour, seed } = aperiodic;
  const set = (fields: Partial<Aperiodic>, during: string | null = null) =>
    change({ aperiodic: { ...draft.value.aperiodic, ...fields } }, during);
  const isTiling = kind !== "quasicrystal";
  return (
    <section class="panel" aria-labelledby="tiling">
      <h2 id="tiling">Tiling</h2>
      <Select label="Shapes" value={kind} onChange={(next) => set({ kind: next as Kind })}>
        {Object.entries(TITLES).map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </Select>
      {(kind === "multigrid" || kind === "quasicrystal") && (
        <Slider
          label="Directions"
          min={5}
          max={13}
          step={1}
          value={n}
          text={String(n)}
          onChange={(next) => set({ n: next }, "n")}
        />
      )}
      {isTiling && (
        <>
          <Select
            label="Filled with"
            value={fill}
            onChange={(next) => set({ fill: next as Aperiodic["fill"] })}
          >
            <option value="image">Your picture</option>
            <option value="flat">Plain colours</option>
          </Select>
          <Slider
            label="Lines"
            min={0}
            max={0.5}
            step={0.01}
            value={outline_width}
            text={outline_width.toFixed(2)}
            onChange={(next) => set({ outline_width: next }, "lines")}
          />
          <label class="field">
            Colour of the lines
            <input
              type="color"
              value={outline_colour}
              onInput={({ currentTarget }) =>
                set({ outline_colour: currentTarget.value }, "colour")
              }
              onChange={endGesture}
            />
          </label>
        </>
      )}
      <button type="button" class="wide" onClick={() => set({ seed: seed + 1 })}>
        Another part of it
      </button>
    </section>
  );
}
