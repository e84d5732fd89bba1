/** The products as plain data, in display order. */
import type { Size } from "../engine/size.ts";

export interface Product {
  /** Stable name in the API, kebab-case. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Maximum size of the printed area in millimetres. */
  readonly print: Size;
  /** Default edge of the pattern's cell in millimetres. */
  readonly cell: number;
}

export const products: readonly Product[] = [
  {
    id: "mug",
    title: "Mug",
    description: "A glazed stoneware mug, 330 ml, printed around but for the handle's side.",
    print: { width: 228, height: 85 },
    cell: 36,
  },
  {
    id: "phone-case",
    title: "Phone case",
    description: "A hard case for a phone of 6.1 inches, printed over its back and edges.",
    print: { width: 93, height: 170 },
    cell: 26,
  },
  {
    id: "notebook",
    title: "Notebook",
    description: "A notebook of A5 with a hard linen cover, printed over front, spine and back.",
    print: { width: 313, height: 210 },
    cell: 46,
  },
  {
    id: "framed-poster",
    title: "Framed poster",
    description:
      "A poster in an oak frame with a passe-partout, 44 × 62 cm, on a wall by a window.",
    print: { width: 440, height: 620 },
    cell: 110,
  },
  {
    id: "wallpaper",
    title: "Wallpaper",
    description: "A papered wall, 2.7 m of it, behind an oak sideboard in a living room.",
    print: { width: 2667, height: 2160 },
    cell: 265,
  },
  {
    id: "wrapping-paper",
    title: "Wrapping paper",
    description: "A present of 18 × 14 × 11 cm in wrapping paper, with a ribbon, and a roll of it.",
    print: { width: 320, height: 488 },
    cell: 62,
  },
  {
    id: "t-shirt",
    title: "T-shirt",
    description: "A T-shirt of jersey with a ribbed collar, printed all over, sleeves included.",
    print: { width: 518, height: 720 },
    cell: 120,
  },
  {
    id: "tote-bag",
    title: "Tote bag",
    description: "A tote bag of cotton canvas, 38 × 42 cm, with plain handles, on a wooden peg.",
    print: { width: 380, height: 420 },
    cell: 95,
  },
  {
    id: "cushion",
    title: "Cushion",
    description:
      "A filled cushion of linen, 45 × 45 cm, printed to the seam, with piping around it.",
    print: { width: 466, height: 466 },
    cell: 90,
  },
  {
    id: "dress-fabric",
    title: "Dress fabric",
    description: "A length of soft viscose, pinned up so that it falls in swags and pleats.",
    print: { width: 1400, height: 1400 },
    cell: 160,
  },
];
