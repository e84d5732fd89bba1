/** Styles of furnishing: walls, cloth and tiles. */
import type { Style } from "./style.ts";

export const furnishedStyles: readonly Style[] = [
  {
    id: "vintage_wallpaper",
    title: "Vintage wallpaper",
    description: "Arts-and-crafts colours on yellowed paper that has hung in a sunny room.",
    seam: { method: "blend", width: 0.16 },
    effects: [
      { id: "contrast", params: { amount: 0.1 } },
      { id: "saturation", params: { amount: 0.85 } },
    ],
    palette: "arts_and_crafts",
    surfaceEffects: [
      { id: "fade", params: { strength: 0.4, dyes: "even", yellowing: 0.6, unevenness: 0.7 } },
      { id: "paper", params: { strength: 0.3, size: 0.51 } },
      { id: "vignette", params: { strength: 0.25 } },
    ],
  },
  {
    id: "linen_print",
    title: "Linen print",
    description: "Muted colours printed on unbleached linen, as for a cushion or a curtain.",
    seam: { method: "blend" },
    effects: [
      { id: "saturation", params: { amount: 0.8 } },
      { id: "brightness", params: { stops: 0.3 } },
    ],
    palette: "provence",
    surfaceEffects: [{ id: "linen", params: { strength: 0.55 } }],
  },
  {
    id: "batik",
    title: "Batik",
    description: "Indigo that ran under the wax, on hand-woven cotton.",
    seam: { method: "blend", width: 0.18 },
    effects: [
      { id: "blur", params: { radius: 0.005 } },
      { id: "posterize", params: { levels: 4, softness: 0.35 } },
    ],
    palette: "indigo",
    surfaceEffects: [
      {
        id: "gradient_wash",
        params: { strength: 0.6, first: "#5f7fb0", middle: "#e8edf2", last: "#7d96c0", flow: 1 },
      },
      { id: "linen", params: { strength: 0.4, size: 0.42 } },
    ],
  },
  {
    id: "gallery_canvas",
    title: "Gallery canvas",
    description: "Full colours on stretched canvas under a gallery's lamp.",
    seam: { method: "blend", preserve_contrast: true },
    effects: [
      { id: "contrast", params: { amount: 0.15 } },
      { id: "saturation", params: { amount: 1.2 } },
    ],
    palette: null,
    surfaceEffects: [
      { id: "canvas", params: { strength: 0.5 } },
      { id: "lighting", params: { strength: 0.35 } },
    ],
  },
  {
    id: "ceramic_tile",
    title: "Ceramic tile",
    description: "Cobalt blue painted on white, under a glaze in relief.",
    seam: { method: "blend" },
    effects: [
      { id: "blur", params: { radius: 0.003 } },
      { id: "brightness", params: { stops: 1 } },
      { id: "contrast", params: { amount: 0.3 } },
      {
        id: "palette_map",
        params: {
          palette: ["#12244e", "#2f5d9e", "#8fb0d3", "#e4ebef", "#fbfaf3"],
          mode: "gradient",
        },
      },
    ],
    palette: null,
    surfaceEffects: [
      { id: "emboss", params: { strength: 0.4, depth: 0.42 } },
      { id: "lighting", params: { strength: 0.4, warmth: 0.2 } },
    ],
  },
  {
    id: "mosaic",
    title: "Mosaic",
    description: "Small stones in grey mortar, each of one colour, in a low light.",
    seam: { method: "blend" },
    effects: [
      { id: "brightness", params: { stops: 0.8 } },
      { id: "contrast", params: { amount: 0.25 } },
      { id: "saturation", params: { amount: 1.35 } },
      { id: "pixelate", params: { blocks: 48, gap: 0.1, gap_colour: "#7d766b" } },
    ],
    palette: null,
    surfaceEffects: [
      { id: "emboss", params: { strength: 0.6, depth: 0.25 } },
      { id: "lighting", params: { strength: 0.4 } },
    ],
  },
];
