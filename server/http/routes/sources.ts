import Type from "typebox";
import {
  createPresetSource,
  PRESET_COST,
  PresetSource,
} from "../../actions/create-preset-source.ts";
import { createUrlSource, UrlSource } from "../../actions/create-url-source.ts";
import { deleteSource } from "../../actions/delete-source.ts";
import { getSource } from "../../actions/get-source.ts";
import { listSources, SourceList } from "../../actions/list-sources.ts";
import { readSourceImage } from "../../actions/read-source-image.ts";
import { Id, strict } from "../../actions/resources/fields.ts";
import { PageOf, showPage } from "../../actions/resources/page.ts";
import { PictureText } from "../../actions/resources/picture-text.ts";
import { Source, showSource } from "../../actions/resources/source.ts";
import { decodeBase64, uploadSource } from "../../actions/upload-source.ts";
import { hasAlready } from "../conditions.ts";
import { FilePart, route } from "../route.ts";

const tag = "Sources";
const path = "/api/v1/sources";
const params = Type.Object({ id: Id }, strict);

const pictureHeaders = {
  ETag: "Strong; a source's picture never changes.",
  "Cache-Control": "private, max-age=31536000, immutable: keep it.",
  "Accept-Ranges": "bytes",
  "Content-Disposition": "inline, with a name to save the picture under.",
};

/** Pictures that patterns are made of. */
export const sourceRoutes = [
  route({
    method: "POST",
    path: `${path}/presets`,
    tag,
    summary: "Make a source from a preset",
    auth: "any",
    takesGuests: true,
    body: PresetSource,
    examples: {
      "The same picture each time": { preset: "floral", seed: 7 },
      "In colours of your own": {
        preset: "geometric",
        seed: 3,
        palette: ["#1b1b1f", "#ecc95c", "#264080"],
      },
    },
    responses: { 201: { description: "The source.", schema: Source } },
    problems: ["overloaded"],
    isIdempotent: true,
    cost: PRESET_COST,
    async handler({ services, account, body }) {
      return { status: 201, json: showSource(await createPresetSource(services, account, body)) };
    },
  }),
  route({
    method: "POST",
    path: `${path}/url`,
    tag,
    summary: "Make a source of a picture on the web",
    description:
      "Fetches it from a public address by http or https, over at most 5 redirects and within 10 seconds; at most 32 MiB and 50 megapixels. What it is follows from its bytes.",
    auth: "any",
    takesGuests: true,
    body: UrlSource,
    responses: { 201: { description: "The source.", schema: Source } },
    problems: ["source_unreachable", "source_unreadable", "overloaded"],
    isIdempotent: true,
    cost: 0,
    async handler({ services, account, body, signal }) {
      return {
        status: 201,
        json: showSource(await createUrlSource(services, account.id, body, signal)),
      };
    },
  }),
  route({
    method: "POST",
    path: `${path}/upload`,
    tag,
    summary: "Upload a picture",
    description:
      "PNG, JPEG, WebP, AVIF, TIFF, GIF (first frame) or SVG, at most 32 MiB and 50 megapixels. What it is follows from its bytes, not from its name.",
    auth: "any",
    takesGuests: true,
    body: Type.Object(
      {
        data: PictureText,
        filename: Type.Optional(Type.String({ maxLength: 1000, description: "Not kept." })),
      },
      strict,
    ),
    // 32 MiB of picture are 43 MiB of base64.
    maximumBytes: 48 * 1024 * 1024,
    form: Type.Object({ file: FilePart }, strict),
    responses: { 201: { description: "The source.", schema: Source } },
    problems: ["source_unreadable", "overloaded"],
    isIdempotent: true,
    cost: 0,
    async handler({ services, account, body }) {
      const bytes = "file" in body ? body.file : decodeBase64(body.data, "/data");
      return { status: 201, json: showSource(await uploadSource(services, account.id, bytes)) };
    },
  }),
  route({
    method: "GET",
    path,
    tag,
    summary: "Your sources, newest first",
    auth: "any",
    takesGuests: true,
    query: SourceList,
    responses: { 200: { description: "A page of sources.", schema: PageOf(Source) } },
    cost: 0,
    async handler({ services, account, query }) {
      const page = await listSources(services, account.id, query);
      return { status: 200, json: showPage(page, showSource) };
    },
  }),
  route({
    method: "GET",
    path: `${path}/{id}`,
    tag,
    summary: "One source",
    auth: "any",
    takesGuests: true,
    params,
    responses: { 200: { description: "The source.", schema: Source } },
    cost: 0,
    async handler({ services, account, params: { id } }) {
      return { status: 200, json: showSource(await getSource(services, account.id, id)) };
    },
  }),
  route({
    method: "GET",
    path: `${path}/{id}/image`,
    tag,
    summary: "A source's picture as it was uploaded",
    auth: "any",
    takesGuests: true,
    params,
    responses: {
      200: {
        description: "The picture in its own format.",
        mediaTypes: ["image/*"],
        headers: pictureHeaders,
      },
      206: {
        description: "The part that Range asks for.",
        mediaTypes: ["image/*"],
        headers: pictureHeaders,
      },
      304: {
        description: "You have it: If-None-Match names its ETag.",
        headers: { ETag: pictureHeaders.ETag, "Cache-Control": pictureHeaders["Cache-Control"] },
      },
    },
    cost: 0,
    async handler({ services, account, params: { id }, header }) {
      const source = await getSource(services, account.id, id);
      const ETag = `"${source.sha256}"`;
      const headers = { ETag, "Cache-Control": "private, max-age=31536000, immutable" };
      if (hasAlready(header("If-None-Match"), ETag)) return { status: 304, headers };
      return {
        status: 200,
        bytes: await readSourceImage(services, source),
        isRanged: true,
        fileName: `source-${id}.${source.media_type.replace(/^image\/|\+xml$/g, "")}`,
        headers: {
          ...headers,
          "Content-Type": source.media_type,
          // An SVG opened in a browser is a page: it may show itself and nothing else.
          "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        },
      };
    },
  }),
  route({
    method: "DELETE",
    path: `${path}/{id}`,
    tag,
    summary: "Remove a source",
    auth: "any",
    takesGuests: true,
    params,
    responses: { 204: { description: "It is gone." } },
    problems: ["conflict"],
    cost: 0,
    async handler({ services, account, params: { id } }) {
      await deleteSource(services, account.id, id);
      return { status: 204 };
    },
  }),
];
