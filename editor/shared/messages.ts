/** Messages, numbers and lists in the language of the page. Components that use them follow it. */
import { signal } from "@preact/signals";
import en from "../messages/en.json" with { type: "json" };
import type { Language, Message, MessageKey, Translation } from "./languages.ts";

export interface PageLanguage extends Translation {
  readonly language: Language;
  /** BCP 47 tag by which numbers are written: the language, maybe of a region. */
  readonly locale: string;
}

export const ENGLISH: PageLanguage = { ...en, catalogue: {}, language: "en", locale: "en" };

export const pageLanguage = signal(ENGLISH);

export type MessageValues = Readonly<Record<string, string | number>>;

/** Returns a message with its values. `count` selects the plural. */
export function t(key: MessageKey, values: MessageValues = {}): string {
  const { messages, locale } = pageLanguage.value;
  const message: Message = messages[key];
  const text =
    typeof message === "string"
      ? message
      : (message[new Intl.PluralRules(locale).select(Number(values.count))] ?? message.other ?? "");
  return text.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === "number" ? formatNumber(value) : String(value);
  });
}

/** What the API's catalogues name. */
type Kind =
  | "preset"
  | "palette"
  | "style"
  | "effect"
  | "surface"
  | "product"
  | "parameter"
  | "value";

/** Returns the title of something in the API's catalogues, which the API has in English. */
export const titleOf = (kind: Kind, id: string, english: string) =>
  inCatalogue(`${kind}.${id}`) ?? english;

/** Returns the description of something in the API's catalogues, as `titleOf`. */
export const descriptionOf = (kind: Kind, id: string, english: string) =>
  inCatalogue(`${kind}.${id}.description`) ?? english;

function inCatalogue(key: string): string | undefined {
  const catalogue: Readonly<Record<string, string | undefined>> = pageLanguage.value.catalogue;
  return catalogue[key];
}

export const formatNumber = (value: number, options?: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(pageLanguage.value.locale, options).format(value);

export const HUNDREDTHS = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;

/** Returns "one, two and three". */
export const formatList = (items: readonly string[]) =>
  new Intl.ListFormat(pageLanguage.value.locale).format(items);
