/** Interface of styles: named combinations of settings for a pattern. */

/** One step of a chain, as in requests. */
interface Step {
  readonly id: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** One style with its listing. */
export interface Style {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Seam of patterns with this style that do not set their own. */
  readonly seam: {
    readonly method?: "blend" | "fold" | "average";
    readonly width?: number;
    readonly preserve_contrast?: boolean;
  };
  /** Pattern effects, applied before the pattern's own. */
  readonly effects: readonly Step[];
  /** Id of the palette for patterns without their own; null keeps the colours. */
  readonly palette: string | null;
  /** Surface effects of sheets that name none. */
  readonly surfaceEffects: readonly Step[];
}
