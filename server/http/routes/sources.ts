import Type from "typebox";
import { Id, PageOf, strict, toPageResponse } from "../../actions/fields.ts";
import { IdeaFields, Ideas, ideasOf } from "../../actions/ideas.ts";
import { UPLOAD_BYTES } from "../../actions/in-flight.ts";
import { PictureText, pictureBytes } from "../../actions/received-picture.ts";
import type { Services } from "../../actions/services.ts";
import { encodeLevel, getSourceOfLevel, LEVEL_PIXELS } from "../../actions/source-levels.ts";
import {
  createPresetSource,
  createUrlSource,
  deleteSource,
  getSource,
  listSources,
  PRESET_COST,
  PresetSource,
  readSourceImage,
  Source,
  SourceList,
  toSourceResponse,
  UrlSource,
  uploadSource,
} from "../../actions/sources.ts";
import { matchesTag } from "../conditions.ts";
import { type DocumentedResponse, FilePart, type RouteResponse, route } from "../route.ts";

const tag = "Sources";
const path = "/api/v1/sources";
const params = Type.Object({ id: Id }, strict);

const created: DocumentedResponse = {
  description: "The source.",
  schema: Source,
  headers: { Location: "URL of the source." },
};

function createdResponse(
  { publicUrl }: Pick<Services, "publicUrl">,
  source: Source,
): RouteResponse {
  return { status: 201, headers: { Location: `${publicUrl}${path}/${source.id}` }, json: source };
}

const pictureHeaders = {
  ETag: "Strong; a source's picture never changes.",
  "Cache-Control": "private, max-age=31536000, immutable: keep it.",
  "Accept-Ranges": "bytes",
  "Content-Disposition": "inline, with a file name.",
};

const levelParams = Type.Object(
  {
    id: Id,
    level: Type.Integer({
      minimum: 0,
      maximum: 32,
      examples: [4],
      description: "Half octaves by which the level is smaller than the image.",
    }),
  },
  strict,
);

const levelHeaders = {
  ETag: "Strong; changes with the engine only.",
  "Cache-Control": "private, no-cache: may be stored, but must be revalidated with If-None-Match.",
  "Content-Disposition": "inline, with a file name.",
};

/** Sources: images that patterns are made from. */
export const sourceRoutes = [
  route({
    method: "POST",
    path: `${path}/presets`,
    tag,
    operationId: "createSourceFromPreset",
    summary: "Create a source from a preset",
    auth: "any",
    allowsGuests: true,
    body: PresetSource,
    examples: {
      "The same picture each time": { preset: "floral", seed: 7 },
      "In colours of your own": {
        preset: "geometric",
        seed: 3,
        palette: ["#1b1b1f", "#ecc95c", "#264080"],
      },
    },
    responses: { 201: created },
    problems: ["quota_exceeded", "overloaded", "render_timeout"],
    isIdempotent: true,
    cost: PRESET_COST,
    async handler({ services, account, body, signal }) {
      const source = await createPresetSource(services, account, body, signal);
      return createdResponse(services, toSourceResponse(source));
    },
  }),
  route({
    method: "POST",
    path: `${path}/url`,
    tag,
    operationId: "createSourceFromUrl",
    summary: "Create a source from a URL",
    description:
      "Fetches the image from a public http or https URL, following at most 5 redirects, within 10 seconds; at most 32 MiB, 50 megapixels and 32,767 pixels on a side. The format is detected from the bytes.",
    auth: "any",
    allowsGuests: true,
    body: UrlSource,
    responses: { 201: created },
    problems: ["quota_exceeded", "source_unreachable", "source_unreadable", "overloaded"],
    isIdempotent: true,
    cost: 0,
    async handler({ services, account, body, signal }) {
      return createdResponse(
        services,
        toSourceResponse(await createUrlSource(services, account.id, body, signal)),
      );
    },
  }),
  route({
    method: "POST",
    path: `${path}/upload`,
    tag,
    operationId: "uploadSource",
    summary: "Upload a source",
    description:
      "PNG, JPEG, WebP, AVIF, TIFF, GIF (first frame) or SVG (static, without filters and external references), at most 32 MiB, 50 megapixels and 32,767 pixels on a side. The format is detected from the bytes, not from the name. Trailing bytes and unneeded metadata are not stored if they exceed 64 KiB.",
    auth: "any",
    allowsGuests: true,
    body: Type.Object(
      {
        data: PictureText,
        filename: Type.Optional(Type.String({ maxLength: 1000, description: "Ignored." })),
      },
      strict,
    ),
    // An image of 32 MiB has 43 MiB in base64.
    maximumBytes: UPLOAD_BYTES,
    picturePath: ["data"],
    form: Type.Object({ file: FilePart }, strict),
    responses: { 201: created },
    problems: ["quota_exceeded", "source_unreadable", "overloaded"],
    isIdempotent: true,
    cost: 0,
    async handler({ services, account, body, signal }) {
      const bytes = pictureBytes("file" in body ? body.file : body.data, "/data");
      const source = await uploadSource(services, account.id, bytes, signal);
      return createdResponse(services, toSourceResponse(source));
    },
  }),
  route({
    method: "GET",
    path,
    tag,
    operationId: "listSources",
    summary: "List your sources",
    auth: "any",
    allowsGuests: true,
    query: SourceList,
    responses: { 200: { description: "A page of sources.", schema: PageOf(Source) } },
    cost: 0,
    async handler({ services, account, query }) {
      const page = await listSources(services, account.id, query);
      return { status: 200, json: toPageResponse(page, toSourceResponse) };
    },
  }),
  route({
    method: "GET",
    path: `${path}/{id}`,
    tag,
    operationId: "getSource",
    summary: "Get a source",
    auth: "any",
    allowsGuests: true,
    params,
    responses: { 200: { description: "The source.", schema: Source } },
    cost: 0,
    async handler({ services, account, params: { id } }) {
      return { status: 200, json: toSourceResponse(await getSource(services, account.id, id)) };
    },
  }),
  route({
    method: "GET",
    path: `${path}/{id}/image`,
    tag,
    operationId: "getSourceImage",
    summary: "Get a source's image",
    auth: "any",
    allowsGuests: true,
    params,
    responses: {
      200: {
        description: "The image in its own format.",
        mediaTypes: ["image/*"],
        headers: pictureHeaders,
      },
      206: {
        description: "The requested range.",
        mediaTypes: ["image/*"],
        headers: pictureHeaders,
      },
      304: {
        description: "Not modified: `If-None-Match` names its ETag.",
        headers: { ETag: pictureHeaders.ETag, "Cache-Control": pictureHeaders["Cache-Control"] },
      },
    },
    cost: 0,
    async handler({ services, account, params: { id }, header }) {
      const source = await getSource(services, account.id, id);
      const ETag = `"${source.sha256}"`;
      const headers = { ETag, "Cache-Control": "private, max-age=31536000, immutable" };
      if (matchesTag(header("If-None-Match"), ETag)) return { status: 304, headers };
      return {
        status: 200,
        bytes: await readSourceImage(services, source.sha256),
        isRanged: true,
        fileName: `source-${id}.${source.media_type.replace(/^image\/|\+xml$/g, "")}`,
        headers: {
          ...headers,
          "Content-Type": source.media_type,
          // An SVG opened in a browser is a document: it may not load or run anything.
          "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        },
      };
    },
  }),
  route({
    method: "GET",
    path: `${path}/{id}/levels/{level}`,
    tag,
    operationId: "getSourceLevel",
    summary: "Get a source as it is sampled",
    description: `The image as renders sample it, for editors that render themselves: a PNG of 8 bits a channel, sRGB, RGB or, with transparency, RGBA. Level 0 is the image itself; each further one is smaller by the square root of 2, up to a single pixel. Levels of more than ${LEVEL_PIXELS} pixels do not exist.`,
    auth: "any",
    allowsGuests: true,
    params: levelParams,
    responses: {
      200: { description: "The level.", mediaTypes: ["image/png"], headers: levelHeaders },
      304: {
        description: "Not modified: `If-None-Match` names its ETag.",
        headers: { ETag: levelHeaders.ETag, "Cache-Control": levelHeaders["Cache-Control"] },
      },
    },
    problems: ["overloaded"],
    cost: 0,
    async handler({ services, account, params: { id, level }, header, signal }) {
      const source = await getSourceOfLevel(services, account.id, id, level);
      const ETag = `"${source.sha256}-${level}-${services.engine.version}"`;
      const headers = { ETag, "Cache-Control": "private, no-cache", "Content-Type": "image/png" };
      if (matchesTag(header("If-None-Match"), ETag)) return { status: 304, headers };
      const bytes = await encodeLevel(services, source, level, signal);
      return { status: 200, bytes, headers, fileName: `source-${id}-level-${level}.png` };
    },
  }),
  route({
    method: "POST",
    path: `${path}/{id}/ideas`,
    tag,
    operationId: "listIdeas",
    summary: "Find motifs that make good patterns",
    description:
      "Parts of the image under different groups, the best first: motifs that show the image's subject whole, full of contrast, whose edges meet well. The same request returns the same ideas.",
    auth: "any",
    allowsGuests: true,
    params,
    body: IdeaFields,
    examples: {
      "Twelve of all groups": {},
      "One under a group": { count: 1, groups: ["p4m"] },
    },
    responses: { 200: { description: "The ideas.", schema: Ideas } },
    problems: ["overloaded"],
    isReadOnly: true,
    cost: 0,
    async handler({ services, account, params: { id }, body, signal }) {
      return { status: 200, json: { data: await ideasOf(services, account.id, id, body, signal) } };
    },
  }),
  route({
    method: "DELETE",
    path: `${path}/{id}`,
    tag,
    operationId: "deleteSource",
    summary: "Delete a source",
    description: "Signed URLs of its renders stop working.",
    auth: "any",
    allowsGuests: true,
    params,
    responses: { 204: { description: "Deleted." } },
    problems: ["conflict"],
    cost: 0,
    async handler({ services, account, params: { id } }) {
      await deleteSource(services, account.id, id);
      return { status: 204 };
    },
  }),
];
