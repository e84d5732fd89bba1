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
      description: "Edge in pixels of the square tile that is rendered and checked.",
    }),
    hex_cells: RenderFields.properties.hex_cells,
  },
  { additionalProperties: false, description: "What tile of the pattern to check." },
);
export type ValidateFields = Static<typeof ValidateFields>;
