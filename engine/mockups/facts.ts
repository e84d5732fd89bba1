/** What may be known of products without drawing them, and what may be asked of them. */
import type { Product } from "./product.ts";
import { PRODUCTS } from "./products/index.ts";

/** A product as plain data. */
export type ProductFacts = Omit<Product, "scene">;

/** In the order in which they are listed. */
export const products: readonly ProductFacts[] = PRODUCTS.map(
  ({ id, title, description, print, cell }) => ({ id, title, description, print, cell }),
);

/** Bounds of a cell's edge on a product, in millimetres. */
export const MOCKUP_CELL = { minimum: 5, maximum: 2000 } as const;

/** What all mockups are. */
export const MOCKUP_MEDIA_TYPE = "image/jpeg";
