import Type, { type Static } from "typebox";
import { products } from "../../engine/index.ts";
import { strict } from "./resources/fields.ts";

const Millimetres = Type.Number({ description: "Millimetres." });

export const Product = Type.Object(
  {
    id: Type.String({ description: "As `products` of an order takes it." }),
    title: Type.String(),
    description: Type.String(),
    print_mm: Type.Object(
      { width: Millimetres, height: Millimetres },
      { ...strict, description: "What print covers." },
    ),
    cell_mm: Type.Number({
      description: "Edge of the pattern's cell where an order does not say otherwise.",
    }),
  },
  strict,
);

/** The products that patterns can be shown on. */
export function listProducts(): Static<typeof Product>[] {
  return products.map(({ id, title, description, print, cell }) => ({
    id,
    title,
    description,
    print_mm: print,
    cell_mm: cell,
  }));
}
