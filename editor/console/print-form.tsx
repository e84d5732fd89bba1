import { attempt, status } from "../shared/attempt.ts";
import { t } from "../shared/messages.ts";
import { fieldsOf } from "./forms.ts";
import { request } from "./session.ts";

interface PrintFormProps {
  /** Its id. */
  readonly pattern: number;
  readonly onExport: () => Promise<void>;
}

/** Orders a print file in millimetres. */
export function PrintForm({ pattern, onExport }: PrintFormProps) {
  const order = (event: SubmitEvent) => {
    const { width, height, bleed, cell, format } = fieldsOf(event);
    const json = {
      width_mm: Number(width),
      height_mm: Number(height),
      bleed_mm: Number(bleed),
      format,
      ...(cell && { cell_mm: Number(cell) }),
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
        {t("print.cell")}
        <input type="number" name="cell" min={1} step="any" placeholder={t("print.cellHint")} />
      </label>
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
