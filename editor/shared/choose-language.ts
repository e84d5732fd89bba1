/** Chooses the language of the page. */
import english from "../messages/shared/en.json" with { type: "json" };
import {
  isLanguage,
  type Language,
  type PageTranslation,
  type SharedTranslation,
} from "./languages.ts";
import { type PageLanguage, pageLanguage, t } from "./messages.ts";

/** Where a page has messages that others lack. */
export interface PageMessages extends PageTranslation {
  /** Of its files. */
  readonly folder: "app" | "console";
}

/** Names of the files of messages by their folders, which `editor/make-bundle.ts` puts here. */
declare const MESSAGE_FILES: Readonly<
  Record<"shared" | PageMessages["folder"], Readonly<Record<Exclude<Language, "en">, string>>>
>;

/** The page's own messages in English. */
let page: PageMessages;

/** Where a choice is kept. Only in the same tab it outweighs what a shop says of its customer. */
const KEPT = "language";

/**
 * Begins a page in the language of a shop's customer, else in the one that was chosen, else in one that the browser
 * prefers. Resolves when the page can be shown. English stands in for messages that cannot be loaded.
 */
export async function startLanguage(inEnglish: PageMessages, ofCustomer?: string): Promise<void> {
  page = inEnglish;
  const chosen = [keptIn(() => sessionStorage), ofCustomer, keptIn(() => localStorage)];
  const locale = [...chosen, ...navigator.languages].find((tag) => languageOf(tag) !== undefined);
  apply(await load(locale ?? "en").catch(() => englishOf("en")));
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
  if (language === "en") return englishOf(locale);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const read = async (folder: keyof typeof MESSAGE_FILES) => {
    const url = new URL(MESSAGE_FILES[folder][language], import.meta.url);
    return (await fetch(url, { signal })).json();
  };
  const files: [SharedTranslation, PageTranslation] = await Promise.all([
    read("shared"),
    read(page.folder),
  ]);
  const [{ messages, catalogue = {} }, own] = files;
  return { language, locale, messages: { ...messages, ...own.messages }, catalogue };
}

const englishOf = (locale: string): PageLanguage => ({
  language: "en",
  locale,
  messages: { ...english.messages, ...page.messages },
  catalogue: {},
});

function apply(chosen: PageLanguage): void {
  pageLanguage.value = chosen;
  const { documentElement } = document;
  documentElement.lang = chosen.language;
  documentElement.dir = t("direction");
}
