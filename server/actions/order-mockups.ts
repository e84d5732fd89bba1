import Type, { type Static } from "typebox";
import type { Mockup } from "../../db/index.ts";
import { MOCKUP_CELL, products } from "../../engine/index.ts";
import { NotFound } from "./errors.ts";
import { strict } from "./resources/fields.ts";
import { ProductId } from "./resources/mockup.ts";
import type { Services } from "./services.ts";

export const NewMockups = Type.Object(
  {
    products: Type.Optional(
      Type.Array(ProductId, {
        minItems: 1,
        maxItems: products.length,
        uniqueItems: true,
        description: "Which products; left out: all of them.",
      }),
    ),
    cell_mm: Type.Optional(
      Type.Number({
        ...MOCKUP_CELL,
        description:
          "Edge of the pattern's cell in millimetres; left out: what suits each product.",
      }),
    ),
  },
  strict,
);

/**
 * Bytes that a mockup counts with until it is drawn: above what a JPEG of 1600 × 1600 pixels of a
 * scene takes.
 */
const ESTIMATED_BYTES = 2 ** 20;

/**
 * Orders pictures of products with the account's pattern; those that there are already are drawn
 * anew. Throws NotFound, QuotaExceeded.
 */
export async function orderMockups(
  { db }: Services,
  accountId: number,
  patternId: number,
  { products: wanted, cell_mm }: Static<typeof NewMockups>,
): Promise<readonly Mockup[]> {
  const chosen = products
    .filter(({ id }) => wanted?.includes(id) ?? true)
    .map(({ id, cell }) => ({ product: id, cell_mm: cell_mm ?? cell }));
  const ordered = await db.mockups.order(accountId, patternId, chosen, ESTIMATED_BYTES);
  if (!ordered) throw new NotFound(`pattern ${patternId}`);
  return ordered;
}
