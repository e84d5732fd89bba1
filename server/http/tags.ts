/** The chapters of the documentation, in their order. */
export const TAGS = {
  Sources: "Pictures that patterns are made of: drawn from a preset, fetched, or uploaded.",
  Patterns: "A source under one of the 17 wallpaper groups, with everything that shapes its look.",
  Renders: "Pictures of patterns: a tile that repeats, a sheet of any size, an aperiodic sheet.",
  Print: "Files for print, in millimetres: made in the background, measured, kept for a week.",
  Mockups: "Pictures of products that show a pattern at its size.",
  Validation: "Certificates of symmetry, of patterns and of any picture that repeats.",
  Catalogues: "What there is to choose from: groups, effects, palettes, styles and presets.",
  Shops: "From a shop's product to the editor and back, for its customers.",
  MCP: "The same for AI agents, by the Model Context Protocol.",
  People: "How people come in. Programs use keys.",
  Account: "Plan, credits and settings of whoever calls.",
  "API keys": "Keys for programs. People make and revoke them.",
  Webhooks: "Events told to addresses of yours, signed, and tried again until they arrive.",
  Operation: "For those who run the service.",
  Documentation: "This page, the document it is made of, and what the codes of problems mean.",
} as const;

export type Tag = keyof typeof TAGS;
