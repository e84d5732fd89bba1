/** Catalogue of styles: named combinations of settings. */
import { drawnStyles } from "./styles/drawn.ts";
import { furnishedStyles } from "./styles/furnished.ts";
import { printedStyles } from "./styles/printed.ts";
import type { Style } from "./styles/style.ts";

export type { Style };

/** In the order in which they are listed. */
export const styles: readonly Style[] = [...furnishedStyles, ...printedStyles, ...drawnStyles];
