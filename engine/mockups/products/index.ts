/** The products that there are, in the order in which they are listed. */
import type { Product } from "../product.ts";
import { cushion } from "./cushion.ts";
import { dressFabric } from "./dress-fabric.ts";
import { framedPoster } from "./framed-poster.ts";
import { mug } from "./mug.ts";
import { notebook } from "./notebook.ts";
import { phoneCase } from "./phone-case.ts";
import { tShirt } from "./t-shirt.ts";
import { toteBag } from "./tote-bag.ts";
import { wallpaper } from "./wallpaper.ts";
import { wrappingPaper } from "./wrapping-paper.ts";

export const PRODUCTS: readonly Product[] = [
  mug,
  phoneCase,
  notebook,
  framedPoster,
  wallpaper,
  wrappingPaper,
  tShirt,
  toteBag,
  cushion,
  dressFabric,
];

/** The product of a name, if there is one. */
export const productNamed = (id: string): Product | undefined =>
  PRODUCTS.find((product) => product.id === id);
