import type { WholeFormat } from "../../encoders/whole-image.ts";
import { InvalidRecipe } from "../../errors.ts";

/** Returns the error of an encoder that failed, e.g. for lack of memory within its process's limit. */
export const encoderFailure = (format: WholeFormat, reason: string) =>
  new InvalidRecipe([
    {
      path: "/format",
      message: `this picture cannot be encoded as ${format}: ${reason}; a smaller one may, or one as png`,
    },
  ]);
