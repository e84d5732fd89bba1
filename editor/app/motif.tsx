/** The part of the picture that fills the fundamental domain, by sliders. */
import type { Design } from "../../engine/core.ts";
import { formatNumber, HUNDREDTHS, t } from "../shared/messages.ts";
import { Select, Slider } from "./controls.tsx";
import { changeDesign, draft } from "./history.ts";
import { MotifStage } from "./motif-stage.tsx";
import { shownSource } from "./upload.ts";

/** The slider's steps are equal ratios: 100 is 20 times as large, −100 a twentieth. */
const LARGEST = 20;
const scaleOf = (position: number) =>
  Number(Math.min(LARGEST ** (position / 100), LARGEST).toPrecision(4));
const positionOf = (scale: number) => Math.round((100 * Math.log(scale)) / Math.log(LARGEST));

export function MotifControls() {
  const { motif } = draft.value.design;
  const source = shownSource.value;
  const move = (fields: Partial<Design["motif"]>) =>
    changeDesign({ motif: { ...motif, ...fields } }, Object.keys(fields).join());
  return (
    <section class="panel" aria-labelledby="motif">
      <h2 id="motif">{t("motif.title")}</h2>
      {source && <MotifStage source={source} />}
      <p class="hint" id="motif-keys">
        {t("motif.keys")}
      </p>
      <Slider
        label={t("motif.scale")}
        min={-100}
        max={100}
        step={1}
        value={positionOf(motif.scale)}
        text={t("motif.times", { scale: formatNumber(motif.scale, HUNDREDTHS) })}
        onChange={(position) => move({ scale: scaleOf(position) })}
      />
      <Slider
        label={t("motif.turn")}
        min={-180}
        max={180}
        step={1}
        value={Math.round(motif.rotation)}
        text={formatNumber(Math.round(motif.rotation), DEGREES)}
        onChange={(rotation) => move({ rotation })}
      />
      <Slider label={t("motif.across")} {...share(motif.x)} onChange={(x) => move({ x })} />
      <Slider label={t("motif.down")} {...share(motif.y)} onChange={(y) => move({ y })} />
      <Select
        label={t("motif.enlarged")}
        value={motif.sampling ?? "smooth"}
        onChange={(sampling) => move({ sampling: sampling === "pixel" ? "pixel" : "smooth" })}
      >
        <option value="smooth">{t("motif.smooth")}</option>
        <option value="pixel">{t("motif.pixel")}</option>
      </Select>
    </section>
  );
}

const DEGREES = { style: "unit", unit: "degree", unitDisplay: "narrow" } as const;
const SHARE = { style: "percent", minimumFractionDigits: 1 } as const;

/** A share of the picture's width or height. */
const share = (value: number) => ({
  min: 0,
  max: 1,
  step: 0.005,
  value,
  text: formatNumber(value, SHARE),
});
