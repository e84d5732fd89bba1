/** Named palettes: presets draw with them, patterns are mapped to them. */

/** One palette with its listing. */
export interface NamedPalette {
  readonly id: string;
  readonly title: string;
  /**
   * `#rrggbb`, in the order of their roles in presets: a light ground, a dark one, a
   * sparing accent, a leaf's colour, then the main colours, the strongest first.
   */
  readonly colours: readonly string[];
}

const palette = (id: string, title: string, colours: string): NamedPalette => ({
  id,
  title,
  colours: colours.split(" "),
});

/** In the order in which they are listed. */
export const palettes: readonly NamedPalette[] = [
  palette(
    "arts_and_crafts",
    "Arts and crafts",
    "#f3ead7 #1e2d3a #d09a3c #5f7f63 #b5453c #35605a #d98c5f #8fa9a3",
  ),
  palette("delft", "Delft", "#f4f1e6 #16284a #dba43f #4b7f7c #2f5d9e #c86b5a #7fa3cc #b9cfe3"),
  palette("bauhaus", "Bauhaus", "#f2e8d5 #24262c #e8b33a #5d8375 #d2452f #2a5f8a #e07b39 #e5c39c"),
  palette("blush", "Blush", "#fbf0ea #4a2433 #cf9a3d #7f8f6b #c65b62 #8e3b53 #e39a92 #f2c4b3"),
  palette("forest", "Forest", "#f1eddc #17302a #d7a33c #4f7752 #c2663c #43698c #8a3f36 #e3bd8c"),
  palette("desert", "Desert", "#f8ecdd #3b2a2f #e0a13b #7b8f76 #c9583a #3f6670 #e08d5b #efbf94"),
  palette("lagoon", "Lagoon", "#eff3ea #0f3341 #f0b35b #3f8f7e #e8785a #14666e #98cdbf #f3c9a5"),
  palette("plum", "Plum", "#f5eef0 #2b1b3a #d8a24a #74897a #9467a6 #d4657c #5b3a79 #cfa9cc"),
  palette(
    "mid_century",
    "Mid-century",
    "#f6edd9 #2d2a26 #d99a1c #748f6b #bf4e2a #3e7270 #e3b448 #8fae9b",
  ),
  palette(
    "cherry_night",
    "Cherry night",
    "#f7e9e6 #1b2440 #e3b15c #5f8a72 #e8909c #b84d6a #5a7d9e #f4bfc0",
  ),
  palette("nordic", "Nordic", "#f1f0ea #27323d #d5a14b #7d8a6a #5d7a8c #b7594c #9db4bd #d8cbb4"),
  palette(
    "provence",
    "Provence",
    "#f6f0dc #2f3321 #cf9f2e #7a8450 #7b6aa6 #c9683f #b9a5cf #d9c77a",
  ),
  palette("indigo", "Indigo", "#f2f1ea #12203f #c9a45c #5d7a86 #27407a #4f6fa6 #8aa3c8 #c3d0e0"),
  palette(
    "terracotta",
    "Terracotta",
    "#f6e9dc #40241c #dba25a #8a8b63 #b9542f #7c3a2a #d9825a #edc3a0",
  ),
  palette("matcha", "Matcha", "#f3f2df #26321f #d3a94b #6f8f4a #4b6b3c #b5774f #97b06a #c3cf9d"),
  palette(
    "midnight_garden",
    "Midnight garden",
    "#efe9e1 #10172b #e0a44e #3f7a63 #c2496b #3c5a99 #7b4f8e #d88f7a",
  ),
  palette("sorbet", "Sorbet", "#fff4ec #4b3350 #ffb347 #86c2a1 #ff7f7a #8fb8de #f7a8b8 #ffd9a0"),
  palette("citrus", "Citrus", "#fdf8e3 #2b3a2e #ff8c1a #6a9a3b #e4572e #f4c430 #a8c256 #fbe08d"),
  palette(
    "monochrome",
    "Monochrome",
    "#f5f5f2 #161616 #8c8c8c #6b6b6b #2f2f2f #4f4f4f #a8a8a8 #d2d2d2",
  ),
  palette("sepia", "Sepia", "#f4e8d3 #2e1f14 #c69256 #8b7d5b #7a4e2d #a8743f #5a3a24 #dbc09a"),
  palette("neon", "Neon", "#f4f4ff #14102b #f9e54d #2de2a6 #ff2e88 #2d7dff #9d4dff #ff8a3d"),
  palette("autumn", "Autumn", "#f7ecd8 #35211b #e6a52e #7b7a3a #c4471f #8f2d22 #dd7b2d #a7793f"),
  palette("alpine", "Alpine", "#f4f6f7 #1d2b3a #e3b66a #4d7663 #3f6e96 #6b7f8c #86acc6 #c9d9e2"),
  palette(
    "coral_reef",
    "Coral reef",
    "#f2f7f3 #0e3a4a #ffc145 #3a9d8f #ff6f59 #1f7a8c #f7a58b #a4d4cf",
  ),
  palette(
    "mulberry",
    "Mulberry",
    "#f7eef1 #33132b #d8a657 #6f8369 #8f2d56 #5b2a57 #b85c8a #e0b0c8",
  ),
  palette("pop", "Pop", "#fff7e6 #1b1b3a #ffd23f #3bb273 #ee4266 #3a86ff #f77f00 #b8e1ff"),
  palette("clay", "Clay", "#f3ece4 #3c3531 #c99d66 #8d927d #b98b73 #8f6f62 #d8b8a0 #a39a90"),
  palette("peacock", "Peacock", "#eef3ef #0b2b33 #d9a93a #2b8a6e #0f6f8c #17498a #4fb0a5 #6a4c93"),
  palette(
    "rose_garden",
    "Rose garden",
    "#fbf1ee #3a1f2b #dcae5f #6c8b63 #c03a5b #8c2942 #e57f8f #f3c1c0",
  ),
  palette("tuscany", "Tuscany", "#f6eedb #39301f #d79b2c #7f8a4e #bf6b36 #9a4a34 #e1b866 #6d7f8f"),
];

/** Share of a picture that each colour of a named palette takes, by its role. */
const SHARES = [0.22, 0.14, 0.04, 0.07, 0.2, 0.13, 0.1, 0.1];

/** Returns a palette by id, or undefined. */
export function paletteNamed(id: string): NamedPalette | undefined {
  return palettes.find((row) => row.id === id);
}

/**
 * Returns the colours of a `PaletteChoice` as `#rrggbb`: those of a palette, or the listed ones.
 * Throws RangeError for an unknown id.
 */
export function coloursOf(choice: string | readonly string[]): readonly string[] {
  if (typeof choice !== "string") return choice;
  const chosen = paletteNamed(choice);
  if (chosen === undefined) {
    const ids = palettes.map(({ id }) => id).join(", ");
    throw new RangeError(`expected a palette (${ids}), got ${JSON.stringify(choice)}`);
  }
  return chosen.colours;
}

/** Returns the share of a picture that each colour of a choice takes: equal ones in a list. */
export const sharesOf = (choice: string | readonly string[]): readonly number[] =>
  typeof choice === "string" ? SHARES : choice.map(() => 1 / choice.length);
