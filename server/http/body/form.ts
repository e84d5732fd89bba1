import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { multipart, type Part } from "formidable";
import type { Context } from "koa";
import { TooManyBytes } from "../../actions/errors.ts";
import { SOURCE_BYTES } from "../../actions/upload-source.ts";
import { MalformedRequest } from "../errors.ts";
import { parseBody } from "./parse.ts";

export const FORM_TYPE = "multipart/form-data";

/** Room for the form around a file of the largest size. */
const FORM_BYTES = SOURCE_BYTES + 1024 * 1024;

/**
 * The fields of a form, with the bytes of its one file, which lies in a private folder while it
 * comes in. Throws MalformedRequest and TooManyBytes.
 */
export async function readForm(ctx: Context): Promise<Record<string, unknown>> {
  const folder = await mkdtemp(join(tmpdir(), "orbifold-upload-"));
  try {
    await parseBody(ctx, FORM_BYTES, {
      multipart: true,
      formidable: {
        enabledPlugins: [filesByName, multipart],
        uploadDir: folder,
        maxFiles: 1,
        maxFileSize: SOURCE_BYTES,
        allowEmptyFiles: true,
        minFileSize: 0,
        maxFields: 16,
        maxFieldsSize: 64 * 1024,
      },
    });
    const files = Object.entries(ctx.request.files ?? {}).flatMap(([name, file]) =>
      [file].flat().map(async ({ filepath }) => [name, plain(await readFile(filepath))] as const),
    );
    return { ...(ctx.request.body as object), ...Object.fromEntries(await Promise.all(files)) };
  } catch (error) {
    throw formError(error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Bytes without a Buffer's habit of becoming a list of numbers in JSON. */
const plain = ({ buffer, byteOffset, byteLength }: Buffer) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/**
 * A part with a file name is a file, whether or not it names its type (RFC 7578 §4.4); formidable
 * goes by the type alone. What the file really is, is sniffed.
 */
function filesByName(form: { onPart(part: Part): void; _handlePart(part: Part): void }) {
  form.onPart = (part) => {
    if (part.originalFilename) part.mimetype ||= "application/octet-stream";
    form._handlePart(part);
  };
  return form;
}

/** formidable's numbers for a file, and for all files together, that are too large. */
const FILE_TOO_LARGE = [1009, 1016];

function formError(error: unknown): unknown {
  if (!(error instanceof Error && "httpCode" in error && "code" in error)) return error;
  if (FILE_TOO_LARGE.includes(Number(error.code))) {
    return new TooManyBytes("the file", SOURCE_BYTES);
  }
  return new MalformedRequest(
    "expected a complete multipart form with a boundary, one file and few, short fields",
    { cause: error },
  );
}
