/** A source as its owner sees it. */
import Type, { type Static } from "typebox";
import type { Source as SourceRow } from "../../../db/index.ts";
import { Id, Moment, strict } from "./fields.ts";

export const Source = Type.Object(
  {
    id: Id,
    kind: Type.Enum(["preset", "url", "upload"], { description: "Where the picture came from." }),
    preset: Type.Union([Type.String(), Type.Null()], { description: "Name of the preset." }),
    seed: Type.Union([Type.Integer(), Type.Null()], { description: "Seed of the preset." }),
    url: Type.Union([Type.String(), Type.Null()], { description: "Address it was fetched from." }),
    media_type: Type.String({ description: "Kind of picture, found out from its bytes." }),
    width: Type.Integer({ description: "Pixels, after the EXIF orientation has been applied." }),
    height: Type.Integer({ description: "Pixels, after the EXIF orientation has been applied." }),
    has_alpha: Type.Boolean({ description: "Whether it may have transparent places." }),
    sha256: Type.String({ description: "SHA-256 of the bytes that are kept, in hex." }),
    created_at: Moment,
  },
  {
    ...strict,
    description: "A picture that patterns are made of.",
    examples: [
      {
        id: 31,
        kind: "preset",
        preset: "floral",
        seed: 7,
        url: null,
        media_type: "image/png",
        width: 1024,
        height: 1024,
        has_alpha: false,
        sha256: "dbc545b1559fc8d111c35b5ebec18bec3206e4c0b1c232ab41f08815314aff19",
        created_at: "2026-01-31T12:00:00.000Z",
      },
    ],
  },
);
export type Source = Static<typeof Source>;

/** The stored source as it is shown. */
export function showSource(row: SourceRow): Source {
  const { account_id: _, created_at, ...shown } = row;
  return { ...shown, created_at: created_at.toISOString() };
}
