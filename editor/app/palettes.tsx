/** The design in every palette, to choose one by eye, and palettes of other pictures. */
import { signal } from "@preact/signals";
import type { Source } from "../../server/actions/sources.ts";
import { findColours } from "../shared/engine.ts";
import { t, titleOf } from "../shared/messages.ts";
import { ContactSheet } from "./contact-sheet.tsx";
import { changeDesign, draft } from "./history.ts";
import { nameOfSource, SOURCE_THUMBNAIL, SourcePicture } from "./source-picture.tsx";
import { attempt, palettes, sources, styles } from "./workspace.ts";

const isOpen = signal(false);

export function Palettes() {
  return (
    <>
      <button type="button" class="wide" onClick={() => (isOpen.value = true)}>
        {t("palettes.open")}
      </button>
      {isOpen.value && <Sheet />}
    </>
  );
}

/** Returns what the design's colours are without a palette of its own. */
export function withoutPalette(): string {
  const style = styles.value.find(({ name }) => name === draft.value.design.style);
  return t(style?.palette ? "look.paletteOfStyle" : "look.paletteOfPicture");
}

function Sheet() {
  const { palette } = draft.value.design;
  const others = sources.value.filter(({ id }) => id !== draft.value.source?.id);
  return (
    <ContactSheet
      name="palettes"
      title={t("palettes.title")}
      hasCaptions
      variations={[
        { change: { palette: null }, label: withoutPalette(), isChosen: palette === null },
        ...palettes.value.map(({ name, title }) => ({
          change: { palette: name },
          label: titleOf("palette", name, title),
          isChosen: palette === name,
        })),
      ]}
      onClose={() => {
        isOpen.value = false;
      }}
    >
      {(close) =>
        others.length > 0 && (
          <>
            <h3>{t("palettes.ofPicture")}</h3>
            <div class="thumbnails">
              {others.map((source) => (
                <button
                  key={source.id}
                  type="button"
                  class="choice"
                  aria-label={t("palettes.from", { picture: nameOfSource(source) })}
                  onClick={() => {
                    close();
                    void takeColours(source);
                  }}
                >
                  <SourcePicture source={source} side={SOURCE_THUMBNAIL} />
                </button>
              ))}
            </div>
          </>
        )
      }
    </ContactSheet>
  );
}

const takeColours = (source: Source) =>
  attempt(t("status.findingColours"), async () => {
    const palette = await findColours(source);
    if (palette.length < 2) throw new Error(t("palettes.oneColour"));
    changeDesign({ palette: [...palette] });
  });
