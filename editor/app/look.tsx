/** How the pattern looks: its style, palette and seam. */
import type { Design } from "../../engine/core.ts";
import type { MessageKey } from "../shared/languages.ts";
import { descriptionOf, formatNumber, HUNDREDTHS, t, titleOf } from "../shared/messages.ts";
import { Select, Slider } from "./controls.tsx";
import { PLAIN_SEAM } from "./draft.ts";
import { changeDesign, draft } from "./history.ts";
import { Ideas } from "./ideas.tsx";
import { Palettes, withoutPalette } from "./palettes.tsx";
import { surprise } from "./surprise.ts";
import { palettes, styles } from "./workspace.ts";

type SeamMethod = Design["seam"]["method"];

const SEAMS: Readonly<Record<SeamMethod, MessageKey>> = {
  blend: "look.blend",
  cut: "look.cut",
  fold: "look.fold",
  average: "look.average",
};

export function Look() {
  const { palette, style, seam } = draft.value.design;
  const chosen = styles.value.find(({ name }) => name === style);
  return (
    <section class="panel" aria-labelledby="look">
      <h2 id="look">{t("look.title")}</h2>
      <button type="button" class="wide" onClick={surprise}>
        {t("look.surprise")}
      </button>
      <Ideas />
      <Select label={t("look.style")} value={style ?? ""} onChange={chooseStyle}>
        <option value="">{t("look.plain")}</option>
        {styles.value.map(({ name, title }) => (
          <option key={name} value={name}>
            {titleOf("style", name, title)}
          </option>
        ))}
      </Select>
      {chosen && <p class="hint">{descriptionOf("style", chosen.name, chosen.description)}</p>}
      <Select
        label={t("look.palette")}
        value={String(palette ?? "")}
        onChange={(name) => changeDesign({ palette: name || null })}
      >
        <option value="">{withoutPalette()}</option>
        {typeof palette === "object" && palette !== null && (
          <option value={String(palette)}>{t("look.paletteOfColours")}</option>
        )}
        {palettes.value.map(({ name, title }) => (
          <option key={name} value={name}>
            {titleOf("palette", name, title)}
          </option>
        ))}
      </Select>
      <Palettes />
      <Select
        label={t("look.seam")}
        value={seam.method}
        onChange={(method) => changeDesign({ seam: { ...seam, method: method as SeamMethod } })}
      >
        {Object.entries(SEAMS).map(([method, title]) => (
          <option key={method} value={method}>
            {t(title)}
          </option>
        ))}
      </Select>
      {(seam.method === "blend" || seam.method === "cut") && (
        <Slider
          label={t(seam.method === "cut" ? "look.reach" : "look.softness")}
          min={0}
          max={0.5}
          step={0.01}
          value={seam.width}
          text={formatNumber(seam.width, HUNDREDTHS)}
          onChange={(width) => changeDesign({ seam: { ...seam, width } }, "softness")}
        />
      )}
    </section>
  );
}

/** A style brings its own seam, as it does for patterns that the API creates. */
function chooseStyle(name: string): void {
  const style = styles.value.find((one) => one.name === name);
  changeDesign({ style: style?.name ?? null, seam: { ...PLAIN_SEAM, ...style?.seam } });
}
