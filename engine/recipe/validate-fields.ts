/** The fields of a certificate request. */
import Type, { type Static } from "typebox";
import { RenderFields } from "./render-fields.ts";

/** The tile that a certificate is based on. */
export const ValidateFields = Type.Object(
  {
    size: Type.Integer({
      minimum: 64,
      maximum: 4096,
      default: 1024,
      description: "Longer side of the tile that is rendered and certified, in pixels.",
    }),
    tile: RenderFields.properties.tile,
    hex_cells: RenderFields.properties.hex_cells,
  },
  { additionalProperties: false, description: "Fields of a certificate." },
);
export type ValidateFields = Static<typeof ValidateFields>;
