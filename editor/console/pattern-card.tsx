/** A pattern of the gallery: open, rename, download, print, show its inks, other palettes and products, delete. */
import { useSignal } from "@preact/signals";
import type { Pattern } from "../../server/actions/pattern-fields.ts";
import { attempt } from "../shared/attempt.ts";
import { groupTitle } from "../shared/groups.ts";
import { t } from "../shared/messages.ts";
import { Colourways } from "./colourways.tsx";
import { confirm } from "./confirm.tsx";
import { download, fileName } from "./download.ts";
import { fieldsOf } from "./forms.ts";
import { Inks } from "./inks.tsx";
import { Mockups } from "./mockups.tsx";
import { Picture } from "./picture.tsx";
import { href } from "./places.ts";
import { PrintForm } from "./print-form.tsx";
import { fetchJson, request } from "./session.ts";

/** Edge of the preview in pixels, and of the tile that is downloaded. */
const PREVIEW = 256;
const TILE = 2048;

interface PatternCardProps {
  readonly pattern: Pattern;
  /** Called with the pattern as it is now, or with null when it is deleted. */
  readonly onChange: (pattern: Pattern | null) => void;
  /** Called with colourways of it, the newest first. */
  readonly onCreate: (patterns: readonly Pattern[]) => void;
  /** Called when a print file was ordered. */
  readonly onExport: () => Promise<void>;
}

export function PatternCard({ pattern, onChange, onCreate, onExport }: PatternCardProps) {
  const { id, group } = pattern;
  const name = pattern.name ?? t("pattern.unnamed", { id: String(id) });
  const isRenaming = useSignal(false);
  const rename = (event: SubmitEvent) => {
    const json = { name: fieldsOf(event).name.trim() || null };
    void attempt({ name: t("pattern.renaming"), subject: id }, async () => {
      onChange(await fetchJson<Pattern>("PATCH", `patterns/${id}`, { json }));
      isRenaming.value = false;
    });
  };
  const remove = () =>
    confirm(
      t("pattern.deleteAsk", { name }),
      t("shell.delete"),
      () =>
        void attempt({ name: t("pattern.deleting"), subject: id }, async () => {
          await request("DELETE", `patterns/${id}`);
          onChange(null);
        }),
    );
  return (
    <li class="panel">
      <Picture
        path={`patterns/${id}/render?size=${PREVIEW}`}
        label={`${name}: ${groupTitle(group)}`}
      />
      {isRenaming.value ? (
        <form class="field" onSubmit={rename}>
          <label>
            {t("shell.name")}
            <input name="name" maxLength={200} defaultValue={pattern.name ?? ""} ref={select} />
          </label>
          <button type="submit">{t("pattern.saveName")}</button>
        </form>
      ) : (
        <h2>{name}</h2>
      )}
      <p class="note">{groupTitle(group)}</p>
      <div class="ways">
        <a
          class="button"
          href={`${href("editor")}#pattern=${id}`}
          aria-label={t("pattern.openOne", { name })}
        >
          {t("pattern.open")}
        </a>
        <button
          type="button"
          aria-label={t("pattern.renameOne", { name })}
          onClick={() => {
            isRenaming.value = !isRenaming.value;
          }}
        >
          {t("pattern.rename")}
        </button>
        <button type="button" aria-label={t("shell.deleteOne", { name })} onClick={remove}>
          {t("shell.delete")}
        </button>
      </div>
      <details>
        <summary>{t("pattern.download")}</summary>
        <button
          type="button"
          class="wide"
          onClick={() => download(`patterns/${id}/render?size=${TILE}`, `${fileName(name)}.png`)}
        >
          {t("pattern.tile", { pixels: String(TILE) })}
        </button>
        <PrintForm pattern={id} onExport={onExport} />
      </details>
      <Inks pattern={pattern} name={name} onChange={onChange} />
      <Colourways pattern={id} onCreate={onCreate} />
      <Mockups pattern={id} name={name} />
    </li>
  );
}

/** The field that someone asked for is ready to type another name into. */
const select = (input: HTMLInputElement | null) => input?.select();
