import Type, { type Static } from "typebox";
import { surfaceEffects } from "../../engine/index.ts";
import { Parameters, strict } from "./resources/fields.ts";

export const SurfaceEffect = Type.Object(
  {
    id: Type.String({ description: "As `surface_effects` of a render takes it." }),
    title: Type.String(),
    description: Type.String(),
    parameters: Parameters,
  },
  strict,
);

/** The effects that can be laid over a surface. */
export function listSurfaceEffects(): Static<typeof SurfaceEffect>[] {
  return surfaceEffects.map(({ id, title, description, params }) => ({
    id,
    title,
    description,
    parameters: params.properties,
  }));
}
