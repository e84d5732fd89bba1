/** The flat inks of a pattern, and its files for design programs and screen printers. */
import { automaticName, INK_LIMITS, isAutomaticName } from "../../engine/recipe/ink-names.ts";
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
  const nameable = nameableInks(pattern, inks);
  const canName = ({ colour }: Ink) => nameable.some((ink) => ink.colour.toLowerCase() === colour);
  const save = (part: string, suffix: string) =>
    download(`${path}/${part}`, `${fileName(name)}${suffix}`);
  const saveCurves = (event: SubmitEvent) => {
    const { cell, format } = fieldsOf(event);
    save(`vector?format=${format}&cell_mm=${cell}`, `.${format}`);
  };
  const saveNames = (event: SubmitEvent) => {
    const json = { effects: withNames(pattern.effects, nameable, inks, fieldsOf(event)) };
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
            {canName(one) ? (
              <input
                name={colour}
                aria-label={t("inks.nameOf", { ink })}
                maxLength={INK_LIMITS.name.characters}
                placeholder={ink}
                defaultValue={isNamed(one) ? ink : ""}
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
      {inks.some(canName) ? (
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
const isNamed = ({ name }: Ink) => !isAutomaticName(name);

/**
 * Returns the inks that can have names without a change of the picture: those that the pattern has by name, or those
 * that its effect found, where every colour is one of them.
 */
function nameableInks(pattern: Pattern, inks: readonly Ink[]): readonly NamedInk[] {
  const { effects, palette, style, counterchange, background } = pattern;
  const { id, params } = effects.at(-1) ?? {};
  // A palette gives them other colours afterwards.
  if (id !== "flat_inks" || palette !== null || style !== null) return [];
  const given = params?.inks as readonly NamedInk[] | undefined;
  if (given !== undefined) return given;
  const isFound =
    counterchange === null &&
    (params?.strength ?? 1) === 1 &&
    inks.every(({ colour }) => colour !== background?.toLowerCase());
  return isFound && inks.length >= INK_LIMITS.count.minimum ? inks : [];
}

/** Returns effects with other names for the inks of the last one, by their colours. */
function withNames(
  effects: Pattern["effects"],
  nameable: readonly NamedInk[],
  inks: readonly Ink[],
  names: Readonly<Record<string, string>>,
) {
  const { id, params } = effects[effects.length - 1];
  const named = nameable.map(({ name, colour }) => {
    const n = inks.findIndex((ink) => ink.colour === colour.toLowerCase());
    // One that does not occur is not in the form.
    if (n < 0) return { name, colour };
    return { name: names[inks[n].colour].trim() || automaticName(n + 1, inks[n].colour), colour };
  });
  return effects.with(-1, { id, params: { ...params, inks: named } });
}
