/** The languages of the pages, and what their files of messages contain. */
import type appDe from "../messages/app/de.json";
import type appEn from "../messages/app/en.json";
import type appFr from "../messages/app/fr.json";
import type consoleDe from "../messages/console/de.json";
import type consoleEn from "../messages/console/en.json";
import type consoleFr from "../messages/console/fr.json";
import type sharedDe from "../messages/shared/de.json";
import type sharedEn from "../messages/shared/en.json";
import type sharedFr from "../messages/shared/fr.json";

/** By their own names. */
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" } as const;
export type Language = keyof typeof LANGUAGES;

export const isLanguage = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag);

type Shared = (typeof sharedEn)["messages"];
type App = (typeof appEn)["messages"];
type Console = (typeof consoleEn)["messages"];
/** A page has the shared messages and its own, which may have the same keys as another page's. */
export type MessageKey = keyof Shared | keyof App | keyof Console;

/** A text, or one for each plural category that the language tells apart, with values as `{name}`. */
export type Message = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** Two files with the same keys. The type check fails where one of them lacks a key of the other. */
type Same<
  One extends Readonly<Record<keyof Other, unknown>>,
  Other extends Readonly<Record<keyof One, unknown>>,
> = One;

/** A file of the messages that all pages have. English names of what the API lists come from the API. */
export interface SharedTranslation {
  readonly messages:
    | Shared
    | Same<(typeof sharedDe)["messages"], Shared>
    | Same<(typeof sharedFr)["messages"], Shared>;
  /** Names that are missing are shown as the API has them. */
  readonly catalogue?: Readonly<
    Partial<Same<(typeof sharedDe)["catalogue"], (typeof sharedFr)["catalogue"]>>
  >;
}

/** A file of the messages that one page has. */
export interface PageTranslation {
  readonly messages:
    | App
    | Same<(typeof appDe)["messages"], App>
    | Same<(typeof appFr)["messages"], App>
    | Console
    | Same<(typeof consoleDe)["messages"], Console>
    | Same<(typeof consoleFr)["messages"], Console>;
}
