/** The pattern in three views: its tile, an endless plane of it, and a tiling that never repeats. */
import { signal } from "@preact/signals";
import type { TargetedKeyboardEvent } from "preact";
import { isHexagonal } from "../shared/groups.ts";
import { t } from "../shared/messages.ts";
import { AperiodicSheet } from "./aperiodic.tsx";
import { draft, shownDraft } from "./history.ts";
import { PatternCanvas, type PatternCanvasProps } from "./pattern-canvas.tsx";
import { ProductPicture } from "./product.tsx";
import { Sheet } from "./sheet.tsx";
import { shownSource } from "./upload.ts";
import { patternInWords } from "./words.ts";
import { patternFields, saved, styles } from "./workspace.ts";

/** Edge of the tile in pixels. */
const SIZE = 512;

const VIEWS = ["tile", "sheet", "aperiodic"] as const;
type View = (typeof VIEWS)[number];

export const view = signal<View>("tile");

export function Views() {
  return (
    <div class="stage">
      <div class="tabs" role="tablist" aria-label={t("views.label")} onKeyDown={onKey}>
        {VIEWS.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-controls="view"
            aria-selected={view.value === name}
            tabIndex={view.value === name ? 0 : -1}
            onClick={() => {
              view.value = name;
            }}
          >
            {t(`views.${name}`)}
          </button>
        ))}
      </div>
      <div class="view" role="tabpanel" id="view" aria-labelledby={`tab-${view.value}`}>
        {shownSource.value === null ? (
          <p class="empty">{t("views.empty")}</p>
        ) : (
          <Picture key={view.value} />
        )}
      </div>
      <ProductPicture />
    </div>
  );
}

/** Whether the tile is a single repeat in its true shape. */
const isCell = signal(false);

/** The tile, with a choice of its shape where a single repeat is no square. */
function Tile(picture: Omit<PatternCanvasProps, "lane" | "fields">) {
  const { group, lattice, counterchange } = picture.design;
  const isPlain = lattice.ratio === 1 && lattice.repeat === "straight" && !counterchange;
  const hasShape = isHexagonal(group) || !isPlain;
  const tile = hasShape && isCell.value ? "cell" : "square";
  return (
    <>
      <PatternCanvas lane="pattern" class={tile} fields={{ size: SIZE, tile }} {...picture} />
      {hasShape && (
        <label class="shape">
          <input
            type="checkbox"
            checked={isCell.value}
            onChange={({ currentTarget }) => {
              isCell.value = currentTarget.checked;
            }}
          />
          {t("views.cell")}
        </label>
      )}
    </>
  );
}

/** Arrow keys go through the tabs. */
function onKey({ key, currentTarget }: TargetedKeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0;
  if (step === 0) return;
  const next = VIEWS[(VIEWS.indexOf(view.value) + step + VIEWS.length) % VIEWS.length];
  view.value = next;
  currentTarget.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
}

function Picture() {
  const { design, aperiodic, surfaceEffects } = shownDraft.value;
  const source = shownSource.value;
  const isSaved = saved.value?.design === JSON.stringify(patternFields(draft.value));
  const common = {
    source,
    design,
    label: patternInWords(shownDraft.value, view.value),
    pattern: isSaved ? saved.value?.id : undefined,
  };
  const ofStyle = styles.value.find(({ name }) => name === design.style)?.surface_effects;
  const hasEffects = (surfaceEffects ?? ofStyle ?? []).length > 0;
  switch (view.value) {
    case "tile":
      return <Tile {...common} />;
    case "sheet":
      return <Sheet {...{ ...common, surfaceEffects, hasEffects }} />;
    case "aperiodic":
      return <AperiodicSheet {...{ ...common, aperiodic, surfaceEffects }} />;
  }
}
