/** Copies of a pattern in other palettes. */
import { useSignal } from "@preact/signals";
import type { Static } from "typebox";
import type { Palette } from "../../server/actions/catalogues.ts";
import type { Pattern } from "../../server/actions/pattern-fields.ts";
import { attempt, status } from "../shared/attempt.ts";
import { t, titleOf } from "../shared/messages.ts";
import { Details } from "./details.tsx";
import { useLoaded } from "./loaded.ts";
import { fetchJson } from "./session.ts";

/** Most palettes of a request. */
const MAX_PALETTES = 24;

interface ColourwaysProps {
  /** Its id. */
  readonly pattern: number;
  /** Called with new patterns, the newest first. */
  readonly onCreate: (patterns: readonly Pattern[]) => void;
}

export const Colourways = (props: ColourwaysProps) => (
  <Details summary={t("colourways.title")}>{() => <Palettes {...props} />}</Details>
);

function Palettes({ pattern, onCreate }: ColourwaysProps) {
  const known = useLoaded<{ readonly data: readonly Static<typeof Palette>[] }>("palettes");
  const chosen = useSignal<readonly string[]>([]);
  const count = chosen.value.length;
  const toggle = (name: string) => {
    const others = chosen.value.filter((one) => one !== name);
    chosen.value = others.length < count ? others : [...others, name];
  };
  const create = () => {
    if (count === 0) return;
    const palettes = chosen.value;
    void attempt({ name: t("colourways.creating"), subject: pattern }, async () => {
      const options = { json: { palettes }, creates: true };
      const path = `patterns/${pattern}/colourways`;
      const { data } = await fetchJson<{ readonly data: readonly Pattern[] }>(
        "POST",
        path,
        options,
      );
      chosen.value = chosen.value.filter((name) => !palettes.includes(name));
      onCreate(data.toReversed());
      status.value = t("colourways.created", { count });
    });
  };
  return (
    <>
      <p class="note">{t("colourways.hint", { count: MAX_PALETTES })}</p>
      <ul class="palettes">
        {known.value?.data.map(({ name, title, colours }) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={chosen.value.includes(name)}
                disabled={count === MAX_PALETTES && !chosen.value.includes(name)}
                onChange={() => toggle(name)}
              />
              <Swatch colours={colours} />
              {titleOf("palette", name, title)}
            </label>
          </li>
        ))}
      </ul>
      <button type="button" class="wide" aria-disabled={count === 0} onClick={create}>
        {count === 0 ? t("colourways.choose") : t("colourways.create", { count })}
      </button>
    </>
  );
}

function Swatch({ colours }: { readonly colours: readonly string[] }) {
  return (
    <svg class="swatch" viewBox={`0 0 ${colours.length} 1`} preserveAspectRatio="none" aria-hidden>
      {colours.map((colour, at) => (
        <rect key={colour} x={at} width="1" height="1" fill={colour} />
      ))}
    </svg>
  );
}
