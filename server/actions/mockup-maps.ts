/** Maps of products for screens: with them the editor draws mockups itself. */
import Type, { type Static } from "typebox";
import { mapVersion } from "../../engine/index.ts";
import { ownerOf } from "./accounts.ts";
import { NotFound } from "./errors.ts";
import { strict } from "./fields.ts";
import { ProductId } from "./mockups.ts";
import type { Account, Services } from "./services.ts";

export { mapVersion } from "../../engine/index.ts";

/** Pixels of a map's side: of small pictures to choose from, of drafts, and of what is looked at. */
const SIDES = ["128", "400", "800"] as const;

export const MapName = Type.Object(
  { version: Type.String({ maxLength: 16 }), product: ProductId, side: Type.Enum(SIDES) },
  strict,
);
export type MapName = Static<typeof MapName>;

/** Returns a packed map. Throws NotFound for another version, Overloaded, and the reason of `signal`. */
export async function readMap(
  { engine }: Services,
  { id }: Account,
  { version, product, side }: MapName,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (version !== (await mapVersion())) throw new NotFound(`version ${version} of the products`);
  return engine.packedMap(product, Number(side), signal, ownerOf(id));
}
