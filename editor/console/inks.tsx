/** The flat inks of a pattern, and its files for design programs and screen printers. */
import type { Ink } from "../../server/actions/inks.ts";
import type { Pattern } from "../../server/actions/pattern-fields.ts";
import { attempt, status } from "../shared/attempt.ts";
import { formatNumber, t } from "../shared/messages.ts";
import { Details } from "./details.tsx";
import { download, fileName } from "./download.ts";
import { fieldsOf } from "./forms.ts";
import { useLoaded } from "./loaded.ts";
import { fetchJson } from "./session.ts";

/** Pixels of the longer side of a separation. */
const SEPARATION = 4096;

interface InksProps {
  readonly pattern: Pattern;
  /** As it is shown. */
  readonly name: string;
  /** Called with the pattern as it is now. */
  readonly onChange: (pattern: Pattern) => void;
}

export const Inks = (props: InksProps) => (
  <Details summary={t("inks.title")}>
    {() =>
      props.pattern.effects.some(({ id }) => id === "flat_inks") ? (
        <Files {...props} />
      ) : (
        <p class="note">{t("inks.none")}</p>
      )
    }
  </Details>
);

function Files({ pattern, name, onChange }: InksProps) {
  const path = `patterns/${pattern.id}`;
  const loaded = useLoaded<{ readonly data: readonly Ink[] }>(`${path}/inks`);
  const inks = loaded.value?.data ?? [];
  const save = (part: string, suffix: string) =>
    download(`${path}/${part}`, `${fileName(name)}${suffix}`);
  const saveCurves = (event: SubmitEvent) => {
    const { cell, format } = fieldsOf(event);
    save(`vector?format=${format}&cell_mm=${cell}`, `.${format}`);
  };
  const saveNames = (event: SubmitEvent) => {
    const json = { effects: withNames(pattern, inks, fieldsOf(event)) };
    void attempt({ name: t("shell.saving"), subject: path }, async () => {
      onChange(await fetchJson<Pattern>("PATCH", path, { json }));
      await loaded.reload();
      status.value = t("shell.saved");
    });
  };
  const list = (
    <ul class="inks">
      {inks.map((one, n) => {
        const { colour, share } = one;
        const ink = isNamed(one) ? one.name : t("inks.one", { number: n + 1, colour });
        const digits = colour.slice(1);
        const suffix = isNamed(one) ? `-${fileName(one.name)}-${digits}` : `-${digits}`;
        return (
          <li key={`${colour} ${one.name}`}>
            <span class="swatch" style={{ background: colour }} />
            {canName(pattern, inks) ? (
              <input
                name={colour}
                aria-label={t("inks.nameOf", { ink })}
                maxLength={60}
                defaultValue={ink}
                required
              />
            ) : (
              <span>{ink}</span>
            )}
            <small>{formatNumber(share, { style: "percent", maximumFractionDigits: 1 })}</small>
            <button
              type="button"
              aria-label={t("inks.separationOf", { ink })}
              onClick={() => save(`separations/${digits}?size=${SEPARATION}`, `${suffix}.png`)}
            >
              {t("inks.separation")}
            </button>
          </li>
        );
      })}
    </ul>
  );
  return (
    <>
      {canName(pattern, inks) ? (
        <form onSubmit={saveNames}>
          {list}
          <button type="submit" class="wide">
            {t("inks.saveNames")}
          </button>
        </form>
      ) : (
        list
      )}
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

type NamedInk = Pick<Ink, "name" | "colour">;

/** Whether an ink has a name of its own, and not the API's. */
const isNamed = ({ name, colour }: Ink) => !new RegExp(`^Ink \\d+ ${colour}$`).test(name);

/** Whether what the inks are called can be stored: a palette would give them other colours afterwards. */
const canName = ({ effects, palette, style }: Pattern, inks: readonly Ink[]) =>
  inks.length > 1 && effects.at(-1)?.id === "flat_inks" && palette === null && style === null;

/** Returns a pattern's effects with names for its inks, by their colours. */
function withNames(
  { effects, background }: Pattern,
  inks: readonly Ink[],
  names: Readonly<Record<string, string>>,
) {
  const { id, params } = effects[effects.length - 1];
  const found = inks.filter(({ colour }) => colour !== background?.toLowerCase());
  const given = params?.inks as readonly NamedInk[] | undefined;
  const named = (given ?? found).map(({ name, colour }) => ({
    name: names[colour.toLowerCase()]?.trim() || name,
    colour,
  }));
  return effects.with(-1, { id, params: { ...params, inks: named } });
}
