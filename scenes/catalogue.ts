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
    description: "A glazed stoneware mug of 330 ml, printed all around except at the handle.",
    print: { width: 228, height: 85 },
    cell: 36,
  },
  {
    id: "phone-case",
    title: "Phone case",
    description: "A hard case for a 6.1-inch phone, printed on its back and edges.",
    print: { width: 93, height: 170 },
    cell: 26,
  },
  {
    id: "notebook",
    title: "Notebook",
    description: "An A5 notebook with a hard linen cover, printed on front, spine and back.",
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
    description: "A papered wall of 2.7 m behind an oak sideboard in a living room.",
    print: { width: 2667, height: 2160 },
    cell: 265,
  },
  {
    id: "wrapping-paper",
    title: "Wrapping paper",
    description:
      "A present of 18 × 14 × 11 cm in wrapping paper, with a ribbon and the rest of the roll.",
    print: { width: 320, height: 488 },
    cell: 62,
  },
  {
    id: "t-shirt",
    title: "T-shirt",
    description: "A jersey T-shirt with a ribbed collar, printed all over, including the sleeves.",
    print: { width: 518, height: 720 },
    cell: 120,
  },
  {
    id: "tote-bag",
    title: "Tote bag",
    description: "A cotton canvas tote bag, 38 × 42 cm, with plain handles, on a wooden peg.",
    print: { width: 380, height: 420 },
    cell: 95,
  },
  {
    id: "cushion",
    title: "Cushion",
    description: "A filled linen cushion, 45 × 45 cm, printed to the seam, with piping.",
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
