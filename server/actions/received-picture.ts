/** Images in requests: as a file, or as base64 text. */
import Type from "typebox";
import { type Decoded, decodeBase64 } from "../intake/index.ts";
import { InvalidInput, PayloadTooLarge } from "./errors.ts";
import { SOURCE_BYTES } from "./sources.ts";

/** An image that was decoded and hashed while the request was read. */
export class ReceivedPicture {
  readonly decoded: Decoded;
  constructor(decoded: Decoded) {
    this.decoded = decoded;
  }

  /** Identifies the image in the fingerprint of an idempotent request. */
  toJSON(): object {
    const { decoded } = this;
    return decoded.outcome === "decoded" ? { sha256: decoded.sha256 } : decoded;
  }
}

/**
 * Returns the bytes of an image at `path` of the input, decoding base64 text. Throws PayloadTooLarge
 * above `SOURCE_BYTES`, InvalidInput for invalid base64.
 */
export function pictureBytes(given: string | ReceivedPicture, path: string): Uint8Array {
  const decoded = typeof given === "string" ? decodeBase64(given, SOURCE_BYTES) : given.decoded;
  if (decoded.outcome === "decoded") return decoded.bytes;
  if (decoded.outcome === "too_large") throw new PayloadTooLarge("the picture", SOURCE_BYTES);
  const expected = "base64 text";
  const received = decoded.character;
  const message = `expected ${expected}, got ${JSON.stringify(received)} at character ${decoded.index + 1}`;
  throw new InvalidInput([{ path, message, expected, received }]);
}

/** A PNG of 8 × 8 pixels. */
export const EXAMPLE_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAHElEQVQI12N4czIGjtQcGuCIgYoSyBxkRVSUAAAZM17hF3vAlQAAAABJRU5ErkJggg==";

const isPicture = (value: unknown) =>
  value instanceof ReceivedPicture || (typeof value === "string" && value !== "");

/** Schema of an image in JSON; `pictureBytes` reads its value. */
export const pictureText = (description: string) =>
  Type.Refine(
    Type.Unsafe<string | ReceivedPicture>({
      title: "a picture in base64",
      shownAs: { type: "string", minLength: 1 },
      examples: [EXAMPLE_PNG],
      description,
    }),
    isPicture,
  );

/** An image in JSON. */
export const PictureText = pictureText("The picture in base64.");
