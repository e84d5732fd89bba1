/** The calls of the transcript's client, for a user who wants a wallpaper. */

export interface Step {
  readonly title: string;
  /** The reason for this call. */
  readonly words: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** File name of the response's picture, without extension. */
  readonly picture?: string;
  /** Whether the call is expected to fail. */
  readonly fails?: boolean;
}

/** For a new account, whose first source and first pattern have the id 1. */
export const STEPS: readonly Step[] = [
  {
    title: "Choose a group",
    words: "Mirrors make a wall look calm, so the agent looks for a group that has some.",
    name: "list_groups",
    arguments: {},
  },
  {
    title: "Choose colours",
    words: "Palettes come with their colours, so that an agent can choose by eye.",
    name: "list_palettes",
    arguments: { limit: 5 },
  },
  {
    title: "Draw a source",
    words: `\
There is no picture to start from, so one is drawn. The same seed draws the same picture. This costs
one credit.`,
    name: "generate_preset",
    arguments: { preset: "leaves", seed: 12, palette: "lagoon" },
  },
  {
    title: "Create a pattern",
    words: "This costs the second and last credit of the conversation.",
    name: "create_pattern",
    arguments: { source_id: 1, group: "p4m", name: "Kitchen wall" },
  },
  {
    title: "Look at it",
    words: `\
The response contains the picture, which the model sees, and facts about it. \`full.url\` opens in any
browser for a day.`,
    name: "render_pattern_tile",
    arguments: { pattern_id: 1, size: 512 },
    picture: "tile",
  },
  {
    title: "Make a mistake",
    words: `\
The agent tries a scale that is not allowed. The error states what is allowed; nothing has changed and
nothing was charged.`,
    fails: true,
    name: "update_pattern",
    arguments: { pattern_id: 1, motif: { scale: 99 } },
  },
  {
    title: "Change it",
    words: "Omitted fields stay unchanged. Changes are free.",
    name: "update_pattern",
    arguments: { pattern_id: 1, group: "p4g", motif: { scale: 1.25, rotation: 20 } },
  },
  {
    title: "List surface effects",
    words: "Each effect comes with the JSON Schema of its parameters.",
    name: "list_surface_effects",
    arguments: { limit: 1 },
  },
  {
    title: "Put it on a wall",
    words:
      "12 × 8 inches at 300 dpi. The model gets a preview, `full.url` leads to all 3600 × 2400 pixels.",
    name: "render_pattern_surface",
    arguments: {
      pattern_id: 1,
      surface_width: 3600,
      surface_height: 2400,
      size: 1400,
      surface_effects: [
        { id: "linen", params: { strength: 0.4 } },
        { id: "vignette", params: { strength: 0.3 } },
      ],
    },
    picture: "wall",
  },
  {
    title: "Certify it",
    words: "Is it what it claims to be? Every operation of the group is checked on the pixels.",
    name: "validate_symmetry",
    arguments: { pattern_id: 1 },
  },
  {
    title: "And something that never repeats",
    words: "The same source, cut into one shape that tiles the plane only without a period.",
    name: "render_aperiodic",
    arguments: {
      pattern_id: 1,
      kind: "spectre",
      surface_width: 1200,
      surface_height: 800,
      cell: 80,
      outline_width: 0.02,
      outline_colour: "#cfe3dc",
    },
    picture: "spectre",
  },
];
