/** The flat inks of a pattern, and its files for design programs and screen printers. */
import type { Ink } from "../../server/actions/inks.ts";
import type { Pattern } from "../../server/actions/pattern-fields.ts";
import { formatNumber, t } from "../shared/messages.ts";
import { Details } from "./details.tsx";
import { download, fileName } from "./download.ts";
import { fieldsOf } from "./forms.ts";
import { useLoaded } from "./loaded.ts";

/** Pixels of the longer side of a separation. */
const SEPARATION = 4096;

interface InksProps {
  readonly pattern: Pattern;
  /** As it is shown. */
  readonly name: string;
}

export const Inks = ({ pattern, name }: InksProps) => (
  <Details summary={t("inks.title")}>
    {() =>
      pattern.effects.some(({ id }) => id === "flat_inks") ? (
        <Files pattern={pattern.id} name={name} />
      ) : (
        <p class="note">{t("inks.none")}</p>
      )
    }
  </Details>
);

interface FilesProps {
  /** Its id. */
  readonly pattern: number;
  readonly name: string;
}

function Files({ pattern, name }: FilesProps) {
  const path = `patterns/${pattern}`;
  const inks = useLoaded<{ readonly data: readonly Ink[] }>(`${path}/inks`).value?.data ?? [];
  const save = (part: string, suffix: string) =>
    download(`${path}/${part}`, `${fileName(name)}${suffix}`);
  const saveCurves = (event: SubmitEvent) => {
    const { cell, format } = fieldsOf(event);
    save(`vector?format=${format}&cell_mm=${cell}`, `.${format}`);
  };
  return (
    <>
      <ul class="inks">
        {inks.map(({ colour, share }, n) => {
          const ink = t("inks.one", { number: n + 1, colour });
          const digits = colour.slice(1);
          return (
            <li key={colour}>
              <span class="swatch" style={{ background: colour }} />
              <span>
                {ink}
                <br />
                <small>{formatNumber(share, { style: "percent", maximumFractionDigits: 1 })}</small>
              </span>
              <button
                type="button"
                aria-label={t("inks.separationOf", { ink })}
                onClick={() => save(`separations/${digits}?size=${SEPARATION}`, `-${digits}.png`)}
              >
                {t("inks.separation")}
              </button>
            </li>
          );
        })}
      </ul>
      <button type="button" class="wide" onClick={() => save("swatches", ".ase")}>
        {t("inks.swatches")}
      </button>
      <form class="field" onSubmit={saveCurves}>
        <label>
          {t("print.cell")}
          <input
            type="number"
            name="cell"
            min={1}
            max={5080}
            step="any"
            defaultValue={100}
            required
          />
        </label>
        <label>
          {t("print.format")}
          <select name="format">
            <option value="svg">SVG</option>
            <option value="pdf">PDF</option>
          </select>
        </label>
        <button type="submit">{t("inks.curves")}</button>
      </form>
    </>
  );
}
