/** What a style is: settings that a pattern takes all at once. */

/** One step of a chain, as a request writes it. */
interface Step {
  readonly id: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** One style with its listing. */
export interface Style {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** What a pattern that is made with the style takes where its own seam says nothing. */
  readonly seam: {
    readonly method?: "blend" | "fold" | "average";
    readonly width?: number;
    readonly preserve_contrast?: boolean;
  };
  /** Pattern effects, done before the pattern's own. */
  readonly effects: readonly Step[];
  /** A palette's name, where the pattern has none of its own; null leaves the colours. */
  readonly palette: string | null;
  /** What is laid over sheets that name no surface effects themselves. */
  readonly surfaceEffects: readonly Step[];
}
