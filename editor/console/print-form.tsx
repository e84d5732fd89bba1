import { useSignal } from "@preact/signals";
import { attempt, status } from "../shared/attempt.ts";
import { t } from "../shared/messages.ts";
import { fieldsOf } from "./forms.ts";
import { request } from "./session.ts";

/** Frieze groups. */
const STRIPS = ["p1", "p211", "p1m1", "p11m", "p11g", "p2mm", "p2mg"] as const;

interface PrintFormProps {
  /** Its id. */
  readonly pattern: number;
  readonly onExport: () => Promise<void>;
}

/** Orders a print file in millimetres. */
export function PrintForm({ pattern, onExport }: PrintFormProps) {
  const isStrip = useSignal(false);
  const order = (event: SubmitEvent) => {
    const { width, height, bleed, cell, strip, repeats, format } = fieldsOf(event);
    const json = {
      width_mm: Number(width),
      height_mm: Number(height),
      bleed_mm: Number(bleed),
      format,
      ...(cell && { cell_mm: Number(cell) }),
      ...(strip && { mode: "frieze", frieze: { group: strip, repeats: Number(repeats) } }),
    };
    void attempt(t("print.ordering"), async () => {
      await request("POST", `patterns/${pattern}/export`, { json, creates: true });
      await onExport();
    }).then(() => {
      status.value ||= t("print.ordered");
    });
  };
  return (
    <form class="field" onSubmit={order}>
      <Millimetres label={t("print.width")} name="width" initial={300} />
      <Millimetres label={t("print.height")} name="height" initial={300} />
      <Millimetres label={t("print.bleed")} name="bleed" least={0} initial={3} />
      <label>
        {t("print.layout")}
        <select
          name="strip"
          onChange={({ currentTarget }) => {
            isStrip.value = currentTarget.value !== "";
          }}
        >
          <option value="">{t("print.surface")}</option>
          <optgroup label={t("print.strip")}>
            {STRIPS.map((group) => (
              <option key={group} value={group}>
                {t(`frieze.${group}`)}
              </option>
            ))}
          </optgroup>
        </select>
      </label>
      {isStrip.value ? (
        <label>
          {t("print.repeats")}
          <input type="number" name="repeats" min={1} max={1000} defaultValue={4} required />
        </label>
      ) : (
        <label>
          {t("print.cell")}
          <input type="number" name="cell" min={1} step="any" placeholder={t("print.cellHint")} />
        </label>
      )}
      <label>
        {t("print.format")}
        <select name="format">
          <option value="pdf">PDF</option>
          <option value="png">PNG</option>
          <option value="tiff">TIFF</option>
          <option value="jpeg">JPEG</option>
        </select>
      </label>
      <button type="submit">{t("print.submit")}</button>
    </form>
  );
}

interface MillimetresProps {
  readonly label: string;
  readonly name: string;
  readonly initial: number;
  readonly least?: number;
}

const Millimetres = ({ label, name, initial, least = 1 }: MillimetresProps) => (
  <label>
    {label}
    <input type="number" name={name} min={least} step="any" defaultValue={initial} required />
  </label>
);
