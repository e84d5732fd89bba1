/** Tilings that never repeat, with their options. */
import type { Aperiodic, RenderFields } from "../../engine/core.ts";
import { tileEdgesOf } from "../../engine/recipe/tile-edges.ts";
import type { MessageKey } from "../shared/languages.ts";
import { formatNumber, HUNDREDTHS, t } from "../shared/messages.ts";
import { Select, Slider, type SliderProps } from "./controls.tsx";
import type { Draft } from "./draft.ts";
import { change, draft, endGesture } from "./history.ts";
import { PatternCanvas, type PatternCanvasProps } from "./pattern-canvas.tsx";
import { type Place, Plane } from "./plane.tsx";
import { proofDpi } from "./sheet.tsx";

type Kind = Aperiodic["kind"];
type Variation = NonNullable<Aperiodic["variation"]>;

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

/** Edge of a sheet in pixels. */
const SIDE = 512;

/** At zoom 1 a sheet has the server's defaults, with the tiling's origin in its top left corner. */
const START: Place = { x: -0.5, y: -0.5, zoom: 1 };
const ZOOM = { least: 1 / 4, most: 4 } as const;

/** Largest offset in pixels; renders accept up to 100,000. */
const FARTHEST = 90_000;

export interface AperiodicSheetProps
  extends Omit<PatternCanvasProps, "lane" | "fields">,
    Pick<Draft, "aperiodic" | "surfaceEffects"> {}

export const AperiodicSheet = (props: AperiodicSheetProps) => {
  const { aperiodic, surfaceEffects, ...picture } = props;
  return (
    <Plane start={START} zoom={ZOOM}>
      {(place) => (
        <PatternCanvas
          lane="pattern"
          fields={{
            ...fieldsAt(place),
            aperiodic,
            ...(surfaceEffects && { surface_effects: [...surfaceEffects] }),
          }}
          {...picture}
        />
      )}
    </Plane>
  );
};

function fieldsAt({ x, y, zoom }: Place) {
  const size = Math.round(SIDE * zoom);
  const offset = (share: number) =>
    Math.min(Math.max(Math.round((share + 0.5) * SIDE), -FARTHEST), FARTHEST);
  return {
    mode: "aperiodic",
    size,
    surface_width: SIDE,
    surface_height: SIDE,
    offset: { x: offset(x), y: offset(y) },
    dpi: proofDpi(size),
  } satisfies Partial<RenderFields>;
}

export function AperiodicControls() {
  const { aperiodic } = draft.value;
  const { kind, n, fill, variation = "none", outline_colour, seed } = aperiodic;
  const { outline, blend } = tileEdgesOf(aperiodic);
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
          {fill === "image" && (
            <>
              <Select
                label={t("tiling.variation")}
                value={variation}
                onChange={(next) => set({ variation: next as Variation })}
              >
                <option value="none">{t("tiling.variation.none")}</option>
                <option value="turns">{t("tiling.variation.turns")}</option>
                <option value="parts">{t("tiling.variation.parts")}</option>
              </Select>
              <Width
                label={t("tiling.blend")}
                value={blend}
                onChange={(next) => set({ blend: next }, "blend")}
              />
            </>
          )}
          <Width
            label={t("tiling.lines")}
            value={outline}
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

/** A slider of a width, as a share of a tile's side. */
function Width(props: Pick<SliderProps, "label" | "value" | "onChange">) {
  return (
    <Slider {...props} min={0} max={0.5} step={0.01} text={formatNumber(props.value, HUNDREDTHS)} />
  );
}
