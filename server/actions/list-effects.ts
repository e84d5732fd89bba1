import Type, { type Static } from "typebox";
import { patternEffects } from "../../engine/index.ts";
import { Parameters, strict } from "./resources/fields.ts";

export const PatternEffect = Type.Object(
  {
    id: Type.String({ description: "As `effects` of a pattern takes it." }),
    title: Type.String(),
    description: Type.String(),
    parameters: Parameters,
    neutral: Type.Record(Type.String(), Type.Unknown(), {
      description: "Parameters with which the effect changes nothing.",
    }),
  },
  strict,
);

/** The effects that patterns can have. */
export function listEffects(): Static<typeof PatternEffect>[] {
  return patternEffects.map(({ id, title, description, params, neutral }) => ({
    id,
    title,
    description,
    parameters: params.properties,
    neutral,
  }));
}
