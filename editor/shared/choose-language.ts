/** Chooses the language of the page. */
import { isLanguage, type Language, type Translation } from "./languages.ts";
import { ENGLISH, type PageLanguage, pageLanguage, t } from "./messages.ts";

/** Names of the files of messages, which `editor/make-bundle.ts` puts here. */
declare const MESSAGE_FILES: Readonly<Record<Exclude<Language, "en">, string>>;

/** Where a choice is kept. Only in the same tab it outweighs what a shop says of its customer. */
const KEPT = "language";

/**
 * Begins in the language of a shop's customer, else in the one that was chosen, else in one that the browser
 * prefers. Resolves when the page can be shown. English stands in for messages that cannot be loaded.
 */
export async function startLanguage(ofCustomer: string | undefined): Promise<void> {
  const chosen = [keptIn(() => sessionStorage), ofCustomer, keptIn(() => localStorage)];
  const locale = [...chosen, ...navigator.languages].find((tag) => languageOf(tag) !== undefined);
  apply(await load(locale ?? "en").catch(() => ENGLISH));
}

/** Changes the language of the page, and keeps the choice. Rejects where its messages cannot be loaded. */
export async function chooseLanguage(language: Language): Promise<void> {
  const ofRegion = navigator.languages.find((tag) => languageOf(tag) === language);
  apply(await load(ofRegion ?? language));
  for (const storage of [() => sessionStorage, () => localStorage]) {
    try {
      storage().setItem(KEPT, language);
    } catch {
      // It is full or forbidden: the choice lives as long as the page.
    }
  }
}

/** Browsers may forbid storage to a page in a frame. */
function keptIn(storage: () => Storage): string | undefined {
  try {
    return storage().getItem(KEPT) ?? undefined;
  } catch {
    return undefined;
  }
}

function languageOf(tag = ""): Language | undefined {
  const [language = ""] = /^[a-z]+/.exec(tag.toLowerCase()) ?? [];
  return isLanguage(language) ? language : undefined;
}

/** A page without messages is blank: after these milliseconds it begins in English. */
const PATIENCE_MS = 10_000;

async function load(locale: string): Promise<PageLanguage> {
  const language = languageOf(locale) ?? "en";
  if (language === "en") return { ...ENGLISH, locale };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const response = await fetch(new URL(MESSAGE_FILES[language], import.meta.url), { signal });
  const translation: Translation = await response.json();
  return { ...translation, language, locale };
}

function apply(chosen: PageLanguage): void {
  pageLanguage.value = chosen;
  const { documentElement } = document;
  documentElement.lang = chosen.language;
  documentElement.dir = t("direction");
  document.title = t("page.title");
}
