import Type from "typebox";
import { Id, strict } from "../../actions/fields.ts";
import {
  getMockup,
  listMockups,
  MOCKUP_MEDIA_TYPE,
  Mockup,
  NewMockups,
  orderMockups,
  readMockup,
  toMockupResponse,
} from "../../actions/mockups.ts";
import { fileResponses, respondWithFile } from "../file-response.ts";
import { route } from "../route.ts";

const tag = "Mockups";
const path = "/api/v1/patterns/{id}/mockups";
const params = Type.Object({ id: Id }, strict);
const Mockups = Type.Object({ data: Type.Array(Mockup) }, strict);

/** Images of products that show a pattern. */
export const mockupRoutes = [
  route({
    method: "POST",
    path,
    tag,
    operationId: "createMockups",
    summary: "Create mockups of a pattern",
    description:
      "Mockups are rendered in the background, of the pattern as it is then, 1600 × 1600 pixels each; the event `mockup.ready` is sent when all of them are done. An existing mockup of a product is replaced.",
    auth: "any",
    allowsGuests: true,
    isIdempotent: true,
    params,
    body: NewMockups,
    examples: {
      "A mug and a cushion": { products: ["mug", "cushion"] },
      "All products, each with a cell of 6 cm": { cell_mm: 60 },
    },
    responses: {
      202: {
        description: "The mockups are queued.",
        schema: Mockups,
        headers: { Location: "URL of the pattern's mockups." },
      },
    },
    problems: ["quota_exceeded"],
    cost: 0,
    async handler({ services, account, params: { id }, body }) {
      const mockups = await orderMockups(services, account.id, id, body);
      const data = mockups.map((row) => toMockupResponse(row, services.publicUrl));
      const Location = `${services.publicUrl}/api/v1/patterns/${id}/mockups`;
      return { status: 202, headers: { Location }, json: { data } };
    },
  }),
  route({
    method: "GET",
    path,
    tag,
    operationId: "listMockups",
    summary: "List the mockups of a pattern",
    auth: "any",
    allowsGuests: true,
    params,
    responses: { 200: { description: "At most one for each product.", schema: Mockups } },
    cost: 0,
    async handler({ services, account, params: { id } }) {
      const mockups = await listMockups(services, account.id, id);
      const data = mockups.map((row) => toMockupResponse(row, services.publicUrl));
      return { status: 200, json: { data } };
    },
  }),
  ...(["HEAD", "GET"] as const).map((method) =>
    route({
      method,
      path: "/api/v1/mockups/{id}/image",
      tag,
      operationId: method === "GET" ? "getMockupImage" : "headMockupImage",
      summary: method === "GET" ? "Get a mockup's image" : "Get the headers of a mockup's image",
      auth: "any",
      allowsGuests: true,
      params,
      responses: fileResponses(method, "The picture.", [MOCKUP_MEDIA_TYPE]),
      problems: ["conflict"],
      cost: 0,
      async handler({ services, account, params: { id }, header }) {
        const mockup = await getMockup(services, account.id, id);
        const { image, sha256 } = await readMockup(services, mockup);
        const file = {
          mediaType: MOCKUP_MEDIA_TYPE,
          fileName: `pattern-${mockup.pattern_id}-${mockup.product}.jpg`,
          length: image.byteLength,
          sha256,
          async *read(start: number, end: number) {
            yield image.subarray(start, end + 1);
          },
        };
        return respondWithFile(file, header);
      },
    }),
  ),
];
