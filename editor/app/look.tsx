/** How the pattern looks: its style, palette and seam. */
import type { Design } from "../../engine/core.ts";
import { Select, Slider } from "./controls.tsx";
import { PLAIN_SEAM } from "./draft.ts";
import { changeDesign, draft } from "./history.ts";
import { Ideas } from "./ideas.tsx";
import { surprise } from "./surprise.ts";
import { palettes, styles } from "./workspace.ts";

type SeamMethod = Design["seam"]["method"];

const SEAMS: Readonly<Record<SeamMethod, string>> = {
  blend: "Soft edges",
  cut: "Cut along the picture's lines",
  fold: "Kaleidoscope",
  average: "Everything mixed",
};

export function Look() {
  const { palette, style, seam } = draft.value.design;
  const chosen = styles.value.find(({ name }) => name === style);
  return (
    <section class="panel" aria-labelledby="look">
      <h2 id="look">Look</h2>
      <button type="button" class="wide" onClick={surprise}>
        Surprise me
      </button>
      <Ideas />
      <Select label="Style" value={style ?? ""} onChange={chooseStyle}>
        <option value="">None</option>
        {styles.value.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </Select>
      {chosen && <p class="hint">{chosen.description}</p>}
      <Select
        label="Palette"
        value={String(palette ?? "")}
        onChange={(name) => changeDesign({ palette: name || null })}
      >
        <option value="">{chosen?.palette ? "The style's" : "The picture's own colours"}</option>
        {palettes.value.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </Select>
      <Select
        label="Seam"
        value={seam.method}
        onChange={(method) => changeDesign({ seam: { ...seam, method: method as SeamMethod } })}
      >
        {Object.entries(SEAMS).map(([method, title]) => (
          <option key={method} value={method}>
            {title}
          </option>
        ))}
      </Select>
      {(seam.method === "blend" || seam.method === "cut") && (
        <Slider
          label={seam.method === "cut" ? "Reach" : "Softness"}
          min={0}
          max={0.5}
          step={0.01}
          value={seam.width}
          text={seam.width.toFixed(2)}
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
