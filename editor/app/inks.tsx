/** Inks of one's own: their names and colours. */
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

/** Fewest and most inks. */
const LEAST = 2;
const MOST = 16;

/** Most characters of a name, and most bytes of it in UTF-8. */
const NAME_LENGTH = 60;
const NAME_BYTES = 127;

/** Colours of new inks. */
const COLOURS = (
  "#1d2a5d #f4eddd #c8102e #ffd100 #00843d #0057b8 #ff8200 #5c068c " +
  "#101820 #ffffff #8b5b29 #f4b8c5 #a7a8aa #7f93c4 #00a3ad #b5bd00"
).split(" ");

export function Inks({ label, inks = [], onChange }: InksProps) {
  const isFree = (ink: Partial<Ink>, at: number) =>
    inks.every(
      (other, n) => n === at || !(isSame(ink.name, other.name) || isSame(ink.colour, other.colour)),
    );
  /** Changes an ink, unless the design would be refused then. */
  const set = (at: number, ink: Partial<Ink>) => {
    if (isFree(ink, at)) onChange(inks.with(at, { ...inks[at], ...ink }));
  };
  const rename = (at: number, input: HTMLInputElement) => {
    const name = input.value.trim();
    const isUsable = isName(name) && isFree({ name }, at);
    if (isUsable) set(at, { name });
    input.value = isUsable ? name : inks[at].name;
    endGesture();
  };
  const add = () => {
    const more = [...inks];
    while (more.length < Math.max(LEAST, inks.length + 1)) {
      const free = COLOURS.filter((colour) => !more.some((ink) => isSame(ink.colour, colour)));
      const names = Array.from({ length: MOST }, (_, n) => t("inks.one", { number: n + 1 }));
      const name = names.find((one) => !more.some((ink) => isSame(ink.name, one))) ?? "";
      more.push({ name, colour: free[0] });
    }
    onChange(more);
    endGesture();
  };
  const remove = (at: number) => {
    onChange(inks.length > LEAST ? inks.filter((_, n) => n !== at) : undefined);
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
            onInput={({ currentTarget }) => set(at, { colour: currentTarget.value })}
            onChange={endGesture}
          />
          <input
            aria-label={t("inks.name", { name })}
            maxLength={NAME_LENGTH}
            defaultValue={name}
            onChange={({ currentTarget }) => rename(at, currentTarget)}
          />
          <button type="button" aria-label={t("inks.remove", { name })} onClick={() => remove(at)}>
            ✕
          </button>
        </div>
      ))}
      {inks.length < MOST && (
        <button type="button" class="wide" onClick={add}>
          {t("inks.add")}
        </button>
      )}
    </fieldset>
  );
}

/** Whether the engine accepts a name, see `namedInkIssues`. */
const isName = (name: string) =>
  name !== "" &&
  new TextEncoder().encode(name).length <= NAME_BYTES &&
  !/^(all|none)$|[\p{Cc}\u2028\u2029\ufffe\uffff]/iu.test(name);

const isSame = (one: string | undefined, other: string) =>
  one?.toLowerCase() === other.toLowerCase();
