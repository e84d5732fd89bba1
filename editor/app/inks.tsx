/** Inks of one's own: their names and colours. */
import { INK_LIMITS, isSameText, nameFault } from "../../engine/recipe/ink-names.ts";
import { status } from "../shared/attempt.ts";
import { t } from "../shared/messages.ts";
import { endGesture } from "./history.ts";

interface Ink {
  readonly name: string;
  readonly colour: string;
}

interface InksProps {
  readonly label: string;
  /** Undefined: the picture's own main colours. */
  readonly inks: readonly Ink[] | undefined;
  readonly onChange: (inks: readonly Ink[] | undefined) => void;
}

const { count, name: length } = INK_LIMITS;

/** Colours of new inks. */
const COLOURS = (
  "#1d2a5d #f4eddd #c8102e #ffd100 #00843d #0057b8 #ff8200 #5c068c " +
  "#101820 #ffffff #8b5b29 #f4b8c5 #a7a8aa #7f93c4 #00a3ad #b5bd00"
).split(" ");

export function Inks({ label, inks = [], onChange }: InksProps) {
  const isTaken = (field: keyof Ink, value: string, at: number) =>
    inks.some((other, n) => n !== at && isSameText(other[field], value));
  /** Changes an ink, unless the design would be refused then. */
  const recolour = (at: number, colour: string) => {
    if (!isTaken("colour", colour, at)) onChange(inks.with(at, { ...inks[at], colour }));
  };
  /** Shows the colour that an ink has kept, and says why. */
  const settle = (at: number, input: HTMLInputElement) => {
    endGesture();
    if (!isTaken("colour", input.value, at)) return;
    input.value = inks[at].colour;
    status.value = t("inks.colourTaken");
  };
  const rename = (at: number, input: HTMLInputElement) => {
    const name = input.value.trim();
    const fault = isTaken("name", name, at) ? "taken" : nameFault(name);
    input.value = fault === null ? name : inks[at].name;
    if (fault === null) onChange(inks.with(at, { ...inks[at], name }));
    endGesture();
    if (fault !== null) status.value = t(`inks.fault.${fault}`, { name });
  };
  const add = () => {
    const more = [...inks];
    while (more.length < Math.max(count.minimum, inks.length + 1)) {
      const free = COLOURS.filter((colour) => !more.some((ink) => isSameText(ink.colour, colour)));
      const names = Array.from({ length: count.maximum }, (_, n) =>
        t("inks.one", { number: n + 1 }),
      );
      const name = names.find((one) => !more.some((ink) => isSameText(ink.name, one))) ?? "";
      more.push({ name, colour: free[0] });
    }
    onChange(more);
    endGesture();
  };
  const remove = (at: number) => {
    onChange(inks.length > count.minimum ? inks.filter((_, n) => n !== at) : undefined);
    endGesture();
  };
  return (
    <fieldset class="inks">
      <legend>{label}</legend>
      {inks.map(({ name, colour }, at) => (
        <div key={name} class="step">
          <input
            type="color"
            aria-label={t("inks.colour", { name })}
            value={colour}
            onInput={({ currentTarget }) => recolour(at, currentTarget.value)}
            onChange={({ currentTarget }) => settle(at, currentTarget)}
          />
          <input
            aria-label={t("inks.name", { name })}
            maxLength={length.characters}
            defaultValue={name}
            onChange={({ currentTarget }) => rename(at, currentTarget)}
          />
          <button type="button" aria-label={t("inks.remove", { name })} onClick={() => remove(at)}>
            ✕
          </button>
        </div>
      ))}
      {inks.length < count.maximum && (
        <button type="button" class="wide" onClick={add}>
          {t("inks.add")}
        </button>
      )}
    </fieldset>
  );
}
