/** The languages of the pages, and what their files of messages contain. */
import type de from "../messages/de.json";
import type en from "../messages/en.json";
import type fr from "../messages/fr.json";

/** By their own names. */
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" } as const;
export type Language = keyof typeof LANGUAGES;

export const isLanguage = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag);

type English = (typeof en)["messages"];
export type MessageKey = keyof English;

/** A text, or one for each plural category that the language tells apart, with values as `{name}`. */
export type Message = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** Two files with the same keys. The type check fails where one of them lacks a key of the other. */
type Same<
  One extends Readonly<Record<keyof Other, unknown>>,
  Other extends Readonly<Record<keyof One, unknown>>,
> = One;

/** A file of messages. English names of what the API lists come from the API. */
export interface Translation {
  readonly messages:
    | English
    | Same<(typeof de)["messages"], English>
    | Same<(typeof fr)["messages"], English>;
  readonly catalogue: Readonly<Partial<Same<(typeof de)["catalogue"], (typeof fr)["catalogue"]>>>;
}
