import type { WholeFormat } from "../../encoders/whole-image.ts";
import { InvalidRecipe } from "../../errors.ts";

/** An encoder that gives up on a picture: it lacks memory, within the bounds of its process. */
export const encoderFailure = (format: WholeFormat, reason: string) =>
  new InvalidRecipe([
    {
      path: "/format",
      message: `this picture cannot be encoded as ${format}: ${reason}; a smaller one may, or one as png`,
    },
  ]);
