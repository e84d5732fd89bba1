/** Styles of drawing: brush, pencil and woodblock. */
import type { Style } from "./style.ts";

export const drawnStyles: readonly Style[] = [
  {
    id: "watercolour",
    title: "Watercolour",
    description: "Soft colours that ran and dried in fronts on cold-pressed paper.",
    seam: { method: "blend", width: 0.22 },
    effects: [
      { id: "blur", params: { radius: 0.006 } },
      { id: "brightness", params: { stops: 1.8 } },
      { id: "saturation", params: { amount: 1.25 } },
      { id: "posterize", params: { levels: 7, softness: 0.6 } },
      { id: "edges", params: { width: 0.002, shading: 0, ink: "#3b4a63", keep: 1, strength: 0.5 } },
    ],
    palette: null,
    surfaceEffects: [
      {
        id: "gradient_wash",
        params: {
          strength: 0.5,
          first: "#bcd6e6",
          middle: "#f6e6dc",
          last: "#e9c2a6",
          flow: 0.8,
          granulation: 0.7,
        },
      },
      { id: "paper", params: { strength: 0.4, size: 0.76, fibres: 0.2, absorbency: 0.9 } },
    ],
  },
  {
    id: "pencil_sketch",
    title: "Pencil sketch",
    description: "Graphite contours and shading in a sketchbook with coffee stains.",
    seam: { method: "blend" },
    effects: [
      {
        id: "edges",
        params: { width: 0.0018, threshold: 0.05, shading: 0.45, ink: "#3a3b41", paper: "#f5f1e6" },
      },
    ],
    palette: null,
    surfaceEffects: [
      { id: "grain", params: { strength: 0.5, size: 0.17 } },
      { id: "paper", params: { strength: 0.5, size: 0.51 } },
      { id: "stain", params: { count: 2, size: 0.5, rings: 1 } },
    ],
  },
  {
    id: "blueprint",
    title: "Blueprint",
    description: "White contours on Prussian blue, folded and kept in a drawer.",
    seam: { method: "blend" },
    effects: [
      {
        id: "edges",
        params: { width: 0.002, threshold: 0.05, shading: 0, ink: "#eaf2f8", paper: "#1d4f86" },
      },
    ],
    palette: null,
    surfaceEffects: [
      { id: "paper", params: { strength: 0.25, size: 0.42 } },
      { id: "folds", params: { strength: 0.45, wear: 0.6 } },
      { id: "fade", params: { strength: 0.3, dyes: "print", yellowing: 0 } },
    ],
  },
  {
    id: "woodblock",
    title: "Woodblock",
    description: "Ink lines and flat colours on soft paper, with a sky that fades from indigo.",
    seam: { method: "blend" },
    effects: [
      { id: "brightness", params: { stops: 1.2 } },
      { id: "blur", params: { radius: 0.004 } },
      { id: "posterize", params: { levels: 5, softness: 0.08 } },
      {
        id: "edges",
        params: { width: 0.003, threshold: 0.05, shading: 0, ink: "#1c2433", keep: 1 },
      },
    ],
    palette: "cherry_night",
    surfaceEffects: [
      {
        id: "gradient_wash",
        params: {
          strength: 0.6,
          first: "#4a6da0",
          last: "#fffaf0",
          colours: 2,
          angle: 90,
          flow: 0.15,
        },
      },
      { id: "paper", params: { strength: 0.4, size: 0.85, fibres: 0.9 } },
    ],
  },
  {
    id: "old_map",
    title: "Old map",
    description: "Earth colours on parchment, folded often and stained by travellers.",
    seam: { method: "blend" },
    effects: [
      { id: "brightness", params: { stops: 1.5 } },
      { id: "sepia", params: { strength: 0.7, age: 0.6 } },
      {
        id: "edges",
        params: {
          width: 0.002,
          threshold: 0.05,
          shading: 0,
          ink: "#4a2f1b",
          keep: 1,
          strength: 0.6,
        },
      },
    ],
    palette: "sepia",
    surfaceEffects: [
      { id: "paper", params: { strength: 0.5, size: 1.02, absorbency: 1 } },
      { id: "folds", params: { columns: 4, rows: 2, wear: 0.7 } },
      { id: "stain", params: { rings: 0.3, count: 5, roughness: 0.8 } },
      { id: "vignette", params: { strength: 0.4 } },
    ],
  },
  {
    id: "daydream",
    title: "Daydream",
    description: "All elements of the symmetry superimposed, in pastels and haze.",
    seam: { method: "average" },
    effects: [{ id: "blur", params: { radius: 0.004 } }],
    palette: "sorbet",
    surfaceEffects: [
      { id: "fade", params: { strength: 0.35, dyes: "even", yellowing: 0 } },
      {
        id: "gradient_wash",
        params: {
          strength: 0.75,
          first: "#b9aef0",
          middle: "#ffc4cf",
          last: "#ffe0a8",
          mode: "multiply",
          flow: 0.3,
          granulation: 0,
        },
      },
    ],
  },
];
