/** A picture of a product as its owner sees it. */
import Type, { type Static } from "typebox";
import { MOCKUP_STATES, type Mockup as MockupRow } from "../../../db/index.ts";
import { products } from "../../../engine/index.ts";
import { Id, Moment, strict } from "./fields.ts";

export { MOCKUP_MEDIA_TYPE } from "../../../engine/index.ts";

export const ProductId = Type.Enum(
  products.map(({ id }) => id),
  { description: "A product, from the list of them." },
);

export const Mockup = Type.Object(
  {
    id: Id,
    pattern_id: Id,
    product: ProductId,
    cell_mm: Type.Number({ description: "Edge of the pattern's cell on the product." }),
    status: Type.Enum([...MOCKUP_STATES], {
      description:
        "`queued`: it is being drawn, or will be. `done`: the picture is there. `failed`: it was given up, and `error` says why.",
    }),
    error: Type.Union([Type.String(), Type.Null()], { description: "Why it was given up." }),
    image_url: Type.Union([Type.String({ format: "uri" }), Type.Null()], {
      description:
        "Where the picture is; null before there is one. While it is drawn anew, the one before.",
    }),
    created_at: Moment,
    finished_at: Type.Union([Moment, Type.Null()]),
  },
  {
    ...strict,
    description: "A picture of a product that shows a pattern.",
    examples: [
      {
        id: 8,
        pattern_id: 12,
        product: "mug",
        cell_mm: 40,
        status: "done",
        error: null,
        image_url: "https://patterns.example/api/v1/mockups/8/image",
        created_at: "2026-01-31T12:00:00.000Z",
        finished_at: "2026-01-31T12:00:05.000Z",
      },
    ],
  },
);
export type Mockup = Static<typeof Mockup>;

/** The stored mockup as it is shown. */
export function showMockup(row: MockupRow, publicUrl: string): Mockup {
  const { account_id: _, batch: __, sha256, created_at, finished_at, ...shown } = row;
  return {
    ...shown,
    image_url: sha256 === null ? null : imageUrl(row.id, publicUrl),
    created_at: created_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  };
}

/** Where a mockup's picture is. */
export const imageUrl = (id: number, publicUrl: string) =>
  `${publicUrl}/api/v1/mockups/${id}/image`;
