/** The part of the picture that fills the fundamental domain, by sliders. */
import type { Design } from "../../engine/core.ts";
import { Slider } from "./controls.tsx";
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
      <h2 id="motif">Motif</h2>
      {source && <MotifStage source={source} />}
      <p class="hint" id="motif-keys">
        Drag the frame over your picture; two fingers scale and turn it. By keyboard: arrows, + and
        −, comma and full stop.
      </p>
      <Slider
        label="Scale"
        min={-100}
        max={100}
        step={1}
        value={positionOf(motif.scale)}
        text={`${motif.scale.toFixed(2)} ×`}
        onChange={(position) => move({ scale: scaleOf(position) })}
      />
      <Slider
        label="Turn"
        min={-180}
        max={180}
        step={1}
        value={Math.round(motif.rotation)}
        text={`${Math.round(motif.rotation)}°`}
        onChange={(rotation) => move({ rotation })}
      />
      <Slider label="Across" {...share(motif.x)} onChange={(x) => move({ x })} />
      <Slider label="Down" {...share(motif.y)} onChange={(y) => move({ y })} />
    </section>
  );
}

/** A share of the picture's width or height. */
const share = (value: number) => ({
  min: 0,
  max: 1,
  step: 0.005,
  value,
  text: `${(100 * value).toFixed(1)} %`,
});
