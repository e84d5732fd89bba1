import type { IncomingMessage } from "node:http";
import type { Part } from "formidable";
import type { Context } from "koa";
import { PayloadTooLarge } from "../../actions/errors.ts";
import { ReceivedPicture } from "../../actions/received-picture.ts";
import { SOURCE_BYTES } from "../../actions/sources.ts";
import { MalformedRequest } from "../errors.ts";
import { type BodyLimits, declaredLength, receiveBody, SharedBytes } from "./receive.ts";

export const FORM_TYPE = "multipart/form-data";

/** Bytes of the form around a file of the largest size. */
const FORM_BYTES = SOURCE_BYTES + 1024 * 1024;

/**
 * Resolves with the fields of a form and its file as a ReceivedPicture, which is collected and
 * hashed as it arrives. Rejects with MalformedRequest, PayloadTooLarge and the errors of
 * `receiveBody`.
 */
export async function readForm(
  ctx: Context,
  limits: Omit<BodyLimits, "maximumBytes">,
): Promise<Record<string, unknown>> {
  const capacity = Math.min(declaredLength(ctx) ?? SOURCE_BYTES, SOURCE_BYTES);
  let gathered: SharedBytes | undefined;
  // Loaded with the first form rather than with the program.
  const { default: formidable, multipart } = await import("formidable");
  const form = formidable({
    enabledPlugins: [filesByName, multipart],
    fileWriteStreamHandler: () => {
      gathered = new SharedBytes(capacity);
      return gathered;
    },
    hashAlgorithm: "sha256",
    maxFiles: 1,
    maxFileSize: SOURCE_BYTES,
    allowEmptyFiles: true,
    minFileSize: 0,
    maxFields: 16,
    maxFieldsSize: 64 * 1024,
  });
  try {
    const bounded = { ...limits, maximumBytes: FORM_BYTES };
    const [fields, files] = await receiveBody(ctx, bounded, (body) =>
      // It needs only a stream with headers.
      form.parse(body as unknown as IncomingMessage),
    );
    const texts = Object.entries(fields).map(([name, values]) => [name, alone(values ?? [])]);
    const pictures = Object.entries(files).map(([name, list]) => {
      const bytes = gathered?.bytes ?? new Uint8Array();
      return [
        name,
        new ReceivedPicture({ outcome: "decoded", bytes, sha256: String(list?.[0]?.hash) }),
      ];
    });
    return Object.fromEntries([...texts, ...pictures]);
  } catch (error) {
    throw formError(error);
  }
}

/** A field that occurs once is not an array. */
const alone = (values: readonly string[]) => (values.length === 1 ? values[0] : values);

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

/** formidable's error codes for a file, and for all files together, that are too large. */
const FILE_TOO_LARGE = [1009, 1016];

function formError(error: unknown): unknown {
  if (!(error instanceof Error && "httpCode" in error && "code" in error)) return error;
  if (FILE_TOO_LARGE.includes(Number(error.code))) {
    return new PayloadTooLarge("the file", SOURCE_BYTES);
  }
  return new MalformedRequest(
    "expected a complete multipart form with a boundary, one file and few, short fields",
    { cause: error },
  );
}
