import { useSignal } from "@preact/signals";
import { LIMITS } from "../../engine/recipe/limits.ts";
import { attempt, status } from "../shared/attempt.ts";
import { t } from "../shared/messages.ts";
import { type FieldWords, inWords } from "../shared/problem-words.ts";
import { fieldsOf } from "./forms.ts";
import { request } from "./session.ts";

/** Frieze groups. */
const STRIPS = ["p1", "p211", "p1m1", "p11m", "p11g", "p2mm", "p2mg"] as const;

/** Shapes of rosettes, with mirrors or without. */
const ROSETTES = [
  { id: "discMirrors", shape: "disc", mirrors: true },
  { id: "discTurns", shape: "disc", mirrors: false },
  { id: "sheetMirrors", shape: "sheet", mirrors: true },
  { id: "sheetTurns", shape: "sheet", mirrors: false },
] as const;

/** What is wrong where each number alone is within its limits. */
const REFUSED: FieldWords = {
  width_mm: "print.page",
  height_mm: "print.page",
  cell_mm: "print.smallRosette",
  frieze: "print.strips",
  dpi: "print.pixels",
};

const { side, bleed, dpi } = LIMITS.print;

const SIDE = { min: side.minimum, max: side.maximum, initial: 300 };

/** Of a cell in as many pixels as it may have. */
const LARGEST_CELL_MM = Math.floor((LIMITS.cell.maximum / dpi.default) * 25.4);

const rosetteOf = (layout: string) => ROSETTES.find(({ id }) => id === layout);

/** Returns the fields of a layout: a frieze group, a rosette, or empty for the pattern itself. */
function fieldsOfLayout(layout: string, count: number): object {
  if (layout === "") return {};
  const rosette = rosetteOf(layout);
  if (rosette === undefined) return { mode: "frieze", frieze: { group: layout, repeats: count } };
  const { shape, mirrors } = rosette;
  return { mode: "rosette", rosette: { fold: count, mirrors, shape } };
}

interface PrintFormProps {
  /** Its id. */
  readonly pattern: number;
  readonly onExport: () => Promise<void>;
}

/** Orders a print file in millimetres. */
export function PrintForm({ pattern, onExport }: PrintFormProps) {
  const layout = useSignal("");
  const isRosette = rosetteOf(layout.value) !== undefined;
  const order = (event: SubmitEvent) => {
    const { width, height, bleed, cell, count, format } = fieldsOf(event);
    const json = {
      width_mm: Number(width),
      height_mm: Number(height),
      bleed_mm: Number(bleed),
      format,
      ...(cell && { cell_mm: Number(cell) }),
      ...fieldsOfLayout(layout.value, Number(count)),
    };
    const explain = (error: unknown) => inWords(error, { conflict: "print.others" }, REFUSED);
    void attempt({ name: t("print.ordering"), subject: pattern, explain }, async () => {
      await request("POST", `patterns/${pattern}/export`, { json, creates: true });
      status.value = t("print.ordered");
      await onExport();
    });
  };
  return (
    <form class="field" onSubmit={order}>
      <Millimetres label={t("print.width")} name="width" {...SIDE} />
      <Millimetres label={t("print.height")} name="height" {...SIDE} />
      <Millimetres label={t("print.bleed")} name="bleed" min={0} max={bleed} initial={3} />
      <label>
        {t("print.layout")}
        <select
          onChange={({ currentTarget }) => {
            layout.value = currentTarget.value;
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
          <optgroup label={t("print.rosette")}>
            {ROSETTES.map(({ id }) => (
              <option key={id} value={id}>
                {t(`rosette.${id}`)}
              </option>
            ))}
          </optgroup>
        </select>
      </label>
      {isRosette && <Count key="fold" label={t("print.fold")} most={36} initial={8} />}
      {layout.value !== "" && !isRosette ? (
        <Count key="repeats" label={t("print.repeats")} most={1000} initial={4} />
      ) : (
        <label>
          {isRosette ? t("print.diameter") : t("print.cell")}
          <input
            type="number"
            name="cell"
            min={LIMITS.print.cell.minimum}
            max={LARGEST_CELL_MM}
            step="any"
            placeholder={t("print.cellHint")}
          />
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

interface CountProps {
  readonly label: string;
  readonly most: number;
  readonly initial: number;
}

const Count = ({ label, most, initial }: CountProps) => (
  <label>
    {label}
    <input type="number" name="count" min={1} max={most} defaultValue={initial} required />
  </label>
);

interface MillimetresProps {
  readonly label: string;
  readonly name: string;
  readonly initial: number;
  readonly min: number;
  readonly max: number;
}

const Millimetres = ({ label, initial, ...limits }: MillimetresProps) => (
  <label>
    {label}
    <input type="number" step="any" defaultValue={initial} required {...limits} />
  </label>
);
