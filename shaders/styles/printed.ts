/** Styles of printing: inks, dots and plates. */
import type { Style } from "./style.ts";

export const printedStyles: readonly Style[] = [
  {
    id: "risograph",
    title: "Risograph",
    description: "A few bright inks with coarse grain, slightly misaligned.",
    seam: { method: "blend" },
    effects: [
      { id: "contrast", params: { amount: 0.25 } },
      { id: "posterize", params: { levels: 5, softness: 0.3 } },
    ],
    palette: "pop",
    surfaceEffects: [
      { id: "misregistration", params: { shift: 0.34, turn: 0.17, black: 0.1 } },
      { id: "grain", params: { strength: 0.55, size: 0.19, colour: 0.5 } },
      { id: "paper", params: { strength: 0.2, size: 0.34 } },
    ],
  },
  {
    id: "screen_print",
    title: "Screen print",
    description:
      "Flat areas of a few opaque inks with hard edges, one of them slightly misaligned.",
    seam: { method: "blend", width: 0.06 },
    effects: [
      { id: "blur", params: { radius: 0.004 } },
      { id: "contrast", params: { amount: 0.3 } },
      { id: "posterize", params: { levels: 4, softness: 0.04 } },
    ],
    palette: "bauhaus",
    surfaceEffects: [
      { id: "misregistration", params: { shift: 0.25, turn: 0.17, black: 0.6 } },
      { id: "paper", params: { strength: 0.25, size: 0.42, fibres: 0 } },
    ],
  },
  {
    id: "pop_art",
    title: "Pop art",
    description: "Loud colours in big dots that keep the pattern's symmetry.",
    seam: { method: "blend" },
    effects: [
      { id: "brightness", params: { stops: 1.1 } },
      { id: "saturation", params: { amount: 1.9 } },
      { id: "posterize", params: { levels: 4, softness: 0.1 } },
      { id: "halftone", params: { dots: 44, mode: "colour", size: 0.9, paper: "#fff6dc" } },
    ],
    palette: null,
    surfaceEffects: [{ id: "misregistration", params: { shift: 0.25, turn: 0.17, black: 0.3 } }],
  },
  {
    id: "newspaper",
    title: "Newspaper",
    description: "One black ink in coarse dots on grey newsprint.",
    seam: { method: "blend" },
    effects: [
      { id: "grayscale" },
      { id: "brightness", params: { stops: 1 } },
      { id: "contrast", params: { amount: 0.25 } },
    ],
    palette: null,
    surfaceEffects: [
      {
        id: "halftone_print",
        params: { cell: 0.59, inks: "single", ink: "#24221f", paper: "#e9e2d0", gain: -0.8 },
      },
      { id: "paper", params: { strength: 0.3, size: 0.26, fibres: 0.8 } },
      { id: "folds", params: { strength: 0.4, columns: 2, rows: 2, wear: 0.2 } },
    ],
  },
  {
    id: "duotone_modern",
    title: "Modern duotone",
    description: "Ultramarine and coral, crisp, with a little grain.",
    seam: { method: "blend" },
    effects: [
      { id: "contrast", params: { amount: 0.5 } },
      { id: "duotone", params: { dark: "#160f5c", light: "#ffc4ac" } },
    ],
    palette: null,
    surfaceEffects: [{ id: "grain", params: { strength: 0.18 } }],
  },
  {
    id: "faded_poster",
    title: "Faded poster",
    description: "Years in a shop window: blue from the sun, creased, and printed in coarse dots.",
    seam: { method: "blend" },
    effects: [
      { id: "contrast", params: { amount: 0.2 } },
      { id: "saturation", params: { amount: 1.3 } },
    ],
    palette: null,
    surfaceEffects: [
      { id: "halftone_print", params: { cell: 0.42, gain: -0.4 } },
      { id: "fade", params: { strength: 0.7, unevenness: 0.6 } },
      { id: "folds", params: { strength: 0.6, columns: 3, rows: 4, wear: 0.6 } },
    ],
  },
  {
    id: "holiday_print",
    title: "Holiday print",
    description:
      "A colour print of the seventies: red with age, milky in the blacks, dark corners.",
    seam: { method: "blend" },
    effects: [{ id: "temperature", params: { warmth: 20 } }],
    palette: null,
    surfaceEffects: [
      { id: "fade", params: { strength: 0.65, dyes: "photograph", yellowing: 0.5 } },
      { id: "grain", params: { strength: 0.25, size: 0.17 } },
      { id: "vignette", params: { strength: 0.35 } },
    ],
  },
];
