/** How tools call the numbers of things. */
import Type from "typebox";
import { Id } from "../../actions/resources/fields.ts";

export const PatternId = Type.Integer({
  ...Id,
  description: "Number of the pattern, as create_pattern and list_patterns give it (`id`).",
});

export const SourceId = Type.Integer({
  ...Id,
  description:
    "Number of the source picture, as generate_preset and upload_source_from_base64 give it (`id`).",
});
