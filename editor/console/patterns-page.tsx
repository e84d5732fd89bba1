/** The account's patterns, the pictures they are made from, and the files made of them. */
import type { Pattern } from "../../server/actions/pattern-fields.ts";
import { t } from "../shared/messages.ts";
import { Exports, useExports } from "./exports.tsx";
import { ShowMore } from "./paged.tsx";
import { PatternCard } from "./pattern-card.tsx";
import { href } from "./places.ts";
import { Search, useSearched } from "./searched.tsx";
import { Sources } from "./sources.tsx";

export function PatternsPage() {
  const patterns = useSearched<Pattern>("patterns");
  const exports = useExports();
  return (
    <main class="page">
      <h1>{t("patterns.title")}</h1>
      <p class="ways">
        <a class="button main" href={href("editor")}>
          {t("patterns.new")}
        </a>
      </p>
      <Search label={t("patterns.search")} onSearch={patterns.search} />
      {patterns.rows?.length === 0 && (
        <p>{patterns.text ? t("patterns.noMatch", { text: patterns.text }) : t("patterns.none")}</p>
      )}
      <ul class="gallery" aria-label={t("patterns.title")}>
        {patterns.rows?.map((pattern) => (
          <PatternCard
            key={pattern.id}
            pattern={pattern}
            onChange={(changed) => patterns.put(pattern.id, changed)}
            onCreate={patterns.add}
            onExport={exports.reload}
          />
        ))}
      </ul>
      <ShowMore list={patterns} what="patterns" />
      <Exports exports={exports} />
      <Sources />
    </main>
  );
}
