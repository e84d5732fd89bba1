/** Choice of the page's language. */
import { chooseLanguage } from "../shared/choose-language.ts";
import { LANGUAGES, type Language } from "../shared/languages.ts";
import { pageLanguage, t } from "../shared/messages.ts";
import { problemInWords } from "./problem-words.ts";
import { status } from "./workspace.ts";

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
  } catch (error) {
    select.value = pageLanguage.value.language;
    status.value = problemInWords(error);
  }
}
