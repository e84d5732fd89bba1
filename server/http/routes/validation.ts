import Type from "typebox";
import { Id, strict } from "../../actions/fields.ts";
import { UPLOAD_BYTES } from "../../actions/in-flight.ts";
import { GroupInput } from "../../actions/pattern-fields.ts";
import { PictureText, pictureBytes } from "../../actions/received-picture.ts";
import {
  Certificate,
  ValidateFields,
  validatePattern,
  validatePicture,
} from "../../actions/validation.ts";
import { CERTIFICATE } from "../openapi/certificate-example.ts";
import { FilePart, route } from "../route.ts";

const shared = {
  method: "POST",
  tag: "Validation",
  auth: "any",
  allowsGuests: true,
  responses: {
    200: { description: "The certificate.", schema: Certificate, example: CERTIFICATE },
  },
  cost: 0,
} as const;

/** Certificates of symmetry. */
export const validationRoutes = [
  route({
    ...shared,
    path: "/api/v1/patterns/{id}/validate",
    operationId: "validatePattern",
    summary: "Validate the symmetry of a pattern",
    description:
      "Renders a tile and compares it with itself under every operation of the pattern's group.",
    params: Type.Object({ id: Id }, strict),
    body: ValidateFields,
    examples: {
      "A tile of the default size": { size: 1024 },
      "A hexagonal pattern with the least strain": { size: 1024, hex_cells: "26x15" },
      "A tile in its true shape": { size: 1024, tile: "cell" },
    },
    problems: ["overloaded", "render_timeout"],
    async handler({ services, account, params: { id }, body, signal }) {
      return { status: 200, json: await validatePattern(services, account.id, id, body, signal) };
    },
  }),
  route({
    ...shared,
    path: "/api/v1/validate",
    operationId: "validateImage",
    summary: "Validate the symmetry of any image",
    description:
      "Takes one repeating image, at most 32 MiB, 50 megapixels and 32,767 pixels on a side, and the group it is claimed to have. Its origin may be anywhere, and it may contain any whole number of cells. Nothing is stored.",
    body: Type.Object(
      {
        data: PictureText,
        group: GroupInput,
      },
      strict,
    ),
    maximumBytes: UPLOAD_BYTES,
    picturePath: ["data"],
    form: Type.Object({ file: FilePart, group: GroupInput }, strict),
    problems: ["source_unreadable", "overloaded", "render_timeout"],
    async handler({ services, account, body, signal }) {
      const bytes = pictureBytes("file" in body ? body.file : body.data, "/data");
      const json = await validatePicture(services, account.id, bytes, body.group, signal);
      return { status: 200, json };
    },
  }),
];
