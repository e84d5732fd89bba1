import Type from "typebox";
import { Id, strict } from "../../actions/fields.ts";
import {
  Ink,
  InkFields,
  listInks,
  makeSeparation,
  makeVector,
  SeparationFields,
  swatchFile,
  VECTOR_TYPES,
  VectorFields,
} from "../../actions/inks.ts";
import { route } from "../route.ts";

const tag = "Patterns";
const path = "/api/v1/patterns";
const params = Type.Object({ id: Id }, strict);

const separationParams = Type.Object(
  {
    id: Id,
    colour: Type.String({
      pattern: "^[0-9a-f]{6}$",
      title: "six hexadecimal digits",
      examples: ["1f4e79"],
      description: "The ink's colour without its `#`.",
    }),
  },
  strict,
);

/** Adobe Swatch Exchange has no media type of its own. */
const SWATCHES = "application/octet-stream";
const InkList = Type.Object({ data: Type.Array(Ink) }, strict);

/** Returns a name without the characters that file systems do not allow. */
const fileNameOf = (name: string) => name.replace(/[\\/:*?"<>|]/g, "-");

/** The flat colours of a pattern, and files of them. */
export const inkRoutes = [
  route({
    method: "GET",
    path: `${path}/{id}/inks`,
    tag,
    operationId: "listInks",
    summary: "List a pattern's inks",
    description:
      "The colours of a pattern's tile that has at most 16, such as one with the effect `flat_inks`, whose parameter `inks` names them. Places that are more than half transparent have the background's colour, or none.",
    auth: "any",
    allowsGuests: true,
    params,
    responses: {
      200: { description: "The inks, the one with the largest share first.", schema: InkList },
    },
    query: InkFields,
    problems: ["conflict", "overloaded", "render_timeout"],
    cost: 0,
    async handler({ services, account, params: { id }, query, signal }) {
      const inks = await listInks(services, account.id, id, query, signal);
      return { status: 200, json: { data: inks } };
    },
  }),
  route({
    method: "GET",
    path: `${path}/{id}/swatches`,
    tag,
    operationId: "getSwatches",
    summary: "Get a pattern's inks as a swatch file",
    description:
      "An Adobe Swatch Exchange file of the inks as spot colours in CIELAB, for design programs.",
    auth: "any",
    allowsGuests: true,
    params,
    responses: { 200: { description: "The file.", mediaTypes: [SWATCHES] } },
    query: InkFields,
    problems: ["conflict", "overloaded", "render_timeout"],
    cost: 0,
    async handler({ services, account, params: { id }, query, signal }) {
      const bytes = swatchFile(await listInks(services, account.id, id, query, signal));
      const headers = { "Content-Type": SWATCHES };
      return { status: 200, bytes, headers, fileName: `pattern-${id}.ase` };
    },
  }),
  route({
    method: "GET",
    path: `${path}/{id}/separations/{colour}`,
    tag,
    operationId: "getSeparation",
    summary: "Get the separation of an ink",
    description:
      "A greyscale PNG of the pattern's tile: black where it has the colour, white elsewhere. Get one for each ink.",
    auth: "any",
    allowsGuests: true,
    params: separationParams,
    query: SeparationFields,
    responses: { 200: { description: "The separation.", mediaTypes: ["image/png"] } },
    problems: ["overloaded", "render_timeout"],
    cost: 0,
    async handler({ services, account, params: { id, colour }, query, signal }) {
      const { bytes, name } = await makeSeparation(services, account.id, id, colour, query, signal);
      const headers = { "Content-Type": "image/png" };
      const ink = name === undefined ? colour : `${fileNameOf(name)}-${colour}`;
      return { status: 200, bytes, headers, fileName: `pattern-${id}-${ink}.png` };
    },
  }),
  route({
    method: "GET",
    path: `${path}/{id}/vector`,
    tag,
    operationId: "getVector",
    summary: "Get a pattern as curves",
    description:
      "One repeat of a pattern of at most 16 colours, such as one with the effect `flat_inks`, as a scalable file. Its shapes are traced in one fundamental domain and repeated, so that the symmetry is exact.",
    auth: "any",
    allowsGuests: true,
    params,
    query: VectorFields,
    responses: { 200: { description: "The file.", mediaTypes: VECTOR_TYPES } },
    problems: ["conflict", "overloaded", "render_timeout"],
    cost: 0,
    async handler({ services, account, params: { id }, query, signal }) {
      const { bytes, mediaType } = await makeVector(services, account.id, id, query, signal);
      const headers = { "Content-Type": mediaType };
      return { status: 200, bytes, headers, fileName: `pattern-${id}.${query.format}` };
    },
  }),
];
