/** The pictures that patterns are made from. */
import type { Source } from "../../server/actions/sources.ts";
import { attempt } from "../shared/attempt.ts";
import { t, titleOf } from "../shared/messages.ts";
import { inWords } from "../shared/problem-words.ts";
import { confirm } from "./confirm.tsx";
import { ShowMore } from "./paged.tsx";
import { Picture } from "./picture.tsx";
import { href } from "./places.ts";
import { rich } from "./rich.ts";
import { Search, useSearched } from "./searched.tsx";
import { request } from "./session.ts";

/** Longest side of a preview in pixels, at least where the picture is as large. */
const PREVIEW = 160;

export function Sources() {
  const sources = useSearched<Source>("sources");
  const remove = (source: Source) => {
    const path = `sources/${source.id}`;
    const act = async () => {
      await request("DELETE", path);
      sources.put(source.id, null);
    };
    confirm(t("sources.deleteAsk", { name: nameOf(source) }), t("shell.delete"), () => {
      const explain = (error: unknown) => inWords(error, { conflict: "sources.used" });
      void attempt({ name: t("sources.deleting"), subject: source.id, explain }, act);
    });
  };
  return (
    <section class="panel" aria-labelledby="sources">
      <h2 id="sources">{t("sources.title")}</h2>
      <Search label={t("sources.search")} onSearch={sources.search} />
      {sources.rows?.length === 0 && (
        <p>
          {sources.text
            ? t("sources.noMatch", { text: sources.text })
            : rich("sources.none", { editor: <a href={href("editor")}>{t("sources.editor")}</a> })}
        </p>
      )}
      <ul class="products" aria-label={t("sources.title")}>
        {sources.rows?.map((source) => (
          <li key={source.id}>
            <Picture path={previewOf(source)} label={nameOf(source)} />
            <p class="note">
              {t("sources.size", {
                name: nameOf(source),
                width: String(source.width),
                height: String(source.height),
              })}
            </p>
            <button
              type="button"
              aria-label={t("shell.deleteOne", { name: nameOf(source) })}
              onClick={() => remove(source)}
            >
              {t("shell.delete")}
            </button>
          </li>
        ))}
      </ul>
      <ShowMore list={sources} what="pictures" />
    </section>
  );
}

const nameOf = ({ id, preset, url }: Source) =>
  t("sources.one", {
    id: String(id),
    origin: preset ? titleOf("preset", preset, preset) : (url ?? t("sources.uploaded")),
  });

/** Every second level is half as large. */
function previewOf({ id, width, height }: Source): string {
  const octaves = Math.max(0, Math.floor(Math.log2(Math.max(width, height) / PREVIEW)));
  return `sources/${id}/levels/${2 * octaves}`;
}
