/** Messages, numbers and lists in the language of the page. Components that use them follow it. */
import { signal } from "@preact/signals";
import english from "../messages/shared/en.json" with { type: "json" };
import type { Language, Message, MessageKey, SharedTranslation } from "./languages.ts";

export interface PageLanguage {
  readonly language: Language;
  /** BCP 47 tag by which numbers are written: the language, maybe of a region. */
  readonly locale: string;
  /** Those that all pages have, and this page's own. */
  readonly messages: Readonly<Partial<Record<MessageKey, Message>>>;
  readonly catalogue: NonNullable<SharedTranslation["catalogue"]>;
}

export const pageLanguage = signal<PageLanguage>({
  ...english,
  catalogue: {},
  language: "en",
  locale: "en",
});

export type MessageValues = Readonly<Record<string, string | number>>;

/** Returns a message with its values. `count` selects the plural. */
export const t = (key: MessageKey, values: MessageValues = {}): string =>
  templateOf(key, Number(values.count)).replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === "number" ? formatNumber(value) : String(value);
  });

/** Returns a message with the names of its values as `{name}`. */
export function templateOf(key: MessageKey, count = 0): string {
  const { messages, locale } = pageLanguage.value;
  const message = messages[key] ?? "";
  if (typeof message === "string") return message;
  return message[new Intl.PluralRules(locale).select(count)] ?? message.other ?? "";
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
  | "warning"
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

/** By locale and options: making one takes a hundred times as long as using it. */
const numberFormats = new Map<string, Intl.NumberFormat>();

export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  const { locale } = pageLanguage.value;
  const key = JSON.stringify([locale, options]);
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(locale, options);
  numberFormats.set(key, format);
  return format.format(value);
}

export const formatDate = (moment: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(pageLanguage.value.locale, options).format(new Date(moment));

export const HUNDREDTHS = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;

/** Returns "one, two and three". */
export const formatList = (items: readonly string[]) =>
  new Intl.ListFormat(pageLanguage.value.locale).format(items);
