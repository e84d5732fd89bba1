/** Sections of the documentation, in order. */
export const TAGS = {
  Sources:
    "Images that patterns are made from: generated from a preset, fetched from a URL, or uploaded.",
  Patterns: "A source under one of the 17 wallpaper groups, with all settings of its look.",
  Renders:
    "Images of patterns: a seamless tile, a surface of any size, an aperiodic surface, a frieze, a rosette.",
  Batches:
    "Renders of many patterns, ordered together and made in the background, with a manifest of their hashes.",
  Print:
    "Print files in millimetres: created in the background, checked, kept for a week unless the operator chose another time.",
  Mockups: "Images of products that show a pattern at its real size.",
  Validation: "Symmetry certificates of patterns and of any seamless image.",
  Catalogue: "The groups, effects, palettes, styles and presets to choose from.",
  Shops: "The handoff of a shop's customer to the editor and back.",
  MCP: "The same operations for AI agents, over the Model Context Protocol.",
  Users: "Sign-up and log-in. Programs use API keys instead.",
  Account: "Plan, credits and settings of the calling account.",
  "API keys": "Keys for programs, created and revoked by users.",
  Webhooks: "Signed notifications of events, retried until they are delivered.",
  Operator:
    "All accounts, for those whose account has the role `operator`: signed-in users, never API keys.",
  Operation: "Probes for operators of the service.",
  Documentation: "This page, the OpenAPI document behind it, and the problem codes.",
} as const;

export type Tag = keyof typeof TAGS;
