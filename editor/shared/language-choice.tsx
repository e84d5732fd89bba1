/** Choice of the page's language. */
import { status } from "./attempt.ts";
import { chooseLanguage } from "./choose-language.ts";
import { LANGUAGES, type Language } from "./languages.ts";
import { pageLanguage, t } from "./messages.ts";

export function LanguageChoice() {
  return (
    <select
      class="language"
      aria-label={t("language")}
      value={pageLanguage.value.language}
      onChange={({ currentTarget }) => choose(currentTarget)}
    >
      {Object.entries(LANGUAGES).map(([language, name]) => (
        <option key={language} value={language} lang={language}>
          {name}
        </option>
      ))}
    </select>
  );
}

async function choose(select: HTMLSelectElement): Promise<void> {
  try {
    await chooseLanguage(select.value as Language);
  } catch {
    select.value = pageLanguage.value.language;
    status.value = t("problem.network");
  }
}
