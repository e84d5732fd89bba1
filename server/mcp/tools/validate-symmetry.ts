import Type from "typebox";
import { InvalidInput } from "../../actions/errors.ts";
import { GroupClaim } from "../../actions/pattern-input.ts";
import { pictureBytes } from "../../actions/received-picture.ts";
import { pictureText } from "../../actions/resources/picture-text.ts";
import { Certificate, ValidateFields, validatePattern } from "../../actions/validate-pattern.ts";
import { validatePicture } from "../../actions/validate-picture.ts";
import { dataTool } from "../tool.ts";
import { PatternId } from "./ids.ts";

const { size, hex_cells } = ValidateFields.properties;

export const validateSymmetry = dataTool({
  name: "validate_symmetry",
  title: "Check the symmetry",
  description:
    "Certifies that a picture has its wallpaper group: give either `pattern_id`, and a tile of it is checked, or `data` with `group`, any picture and the group that is claimed of it. Read `verdict` and `summary` first. valid: that group and no larger one; more_symmetric: it has more, `found` says which; broken: `failing` is the worst operation, or the picture is stretched; undecided: too fine to tell, or its edges do not meet, `summary` says what would help. `reason` is the same as a stable word. To mend a pattern call update_pattern, e.g. with `found` as its group or with seam method blend.",
  input: {
    pattern_id: Type.Optional(PatternId),
    size,
    hex_cells,
    data: Type.Optional(
      pictureText(
        "In place of pattern_id: a picture that repeats, in base64, at most 12 MB and 50 megapixels. Its origin may lie anywhere; nothing is kept.",
      ),
    ),
    group: Type.Optional(GroupClaim),
  },
  output: Certificate,
  behaviour: { readOnly: true, idempotent: true },
  example: { pattern_id: 12 },
  async run({ services, account, input, signal }) {
    const { pattern_id, size, hex_cells, data, group } = input;
    if (pattern_id !== undefined) {
      if (data !== undefined) refuse("data", "pattern_id or data, not both");
      if (group !== undefined) refuse("group", "no group beside pattern_id, which has its own");
      return validatePattern(services, account.id, pattern_id, { size, hex_cells }, signal);
    }
    if (data === undefined) return refuse("pattern_id", "pattern_id, or data with group");
    if (group === undefined) return refuse("group", "the group that is claimed of data");
    return validatePicture(services, account.id, pictureBytes(data, "/data"), group, signal);
  },
});

function refuse(name: string, expected: string): never {
  throw new InvalidInput([{ path: `/${name}`, message: `expected ${expected}`, expected }]);
}
