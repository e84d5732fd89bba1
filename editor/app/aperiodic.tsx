/** Tilings that never repeat, with their options. */
import type { Aperiodic, RenderFields } from "../../engine/core.ts";
import type { MessageKey } from "../shared/languages.ts";
import { formatNumber, HUNDREDTHS, t } from "../shared/messages.ts";
import { Select, Slider } from "./controls.tsx";
import { change, draft, endGesture } from "./history.ts";

type Kind = Aperiodic["kind"];

const TITLES: Readonly<Record<Kind, MessageKey>> = {
  penrose_p3: "tiling.penrose_p3",
  penrose_p2: "tiling.penrose_p2",
  ammann_beenker: "tiling.ammann_beenker",
  multigrid: "tiling.multigrid",
  hat: "tiling.hat",
  spectre: "tiling.spectre",
  quasicrystal: "tiling.quasicrystal",
};

/** Returns the name of a tiling for people. */
export const aperiodicTitle = (kind: Kind) => t(TITLES[kind]);

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
      <h2 id="tiling">{t("tiling.title")}</h2>
      <Select
        label={t("tiling.kind")}
        value={kind}
        onChange={(next) => set({ kind: next as Kind })}
      >
        {Object.entries(TITLES).map(([name, title]) => (
          <option key={name} value={name}>
            {t(title)}
          </option>
        ))}
      </Select>
      {(kind === "multigrid" || kind === "quasicrystal") && (
        <Slider
          label={t("tiling.directions")}
          min={5}
          max={13}
          step={1}
          value={n}
          text={formatNumber(n)}
          onChange={(next) => set({ n: next }, "n")}
        />
      )}
      {isTiling && (
        <>
          <Select
            label={t("tiling.fill")}
            value={fill}
            onChange={(next) => set({ fill: next as Aperiodic["fill"] })}
          >
            <option value="image">{t("tiling.image")}</option>
            <option value="varied">{t("tiling.varied")}</option>
            <option value="flat">{t("tiling.flat")}</option>
          </Select>
          <Slider
            label={t("tiling.lines")}
            min={0}
            max={0.5}
            step={0.01}
            value={outline_width}
            text={formatNumber(outline_width, HUNDREDTHS)}
            onChange={(next) => set({ outline_width: next }, "lines")}
          />
          <label class="field">
            {t("tiling.colour")}
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
        {t("tiling.another")}
      </button>
    </section>
  );
}
