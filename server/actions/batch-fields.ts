/** Batches and their items as the API represents them. */
import Type, { type Static } from "typebox";
import { Value } from "typebox/value";
import {
  BATCH_ITEM_STATES,
  BATCH_STATES,
  type Batch as BatchRow,
  type BatchItem as ItemRow,
} from "../../db/index.ts";
import { GROUP_NAMES, LIMITS, PatternPalette, RenderFields } from "../../engine/index.ts";
import { FAILURE_CODES } from "./failures.ts";
import { Id, Name, strict, Timestamp } from "./fields.ts";
import { jsonSchema } from "./json-schema.ts";
import { GroupInput, NAME_LENGTH, withoutDefault } from "./pattern-fields.ts";

/** Most items of a batch. */
export const MAX_ITEMS = 10_000;

/** Most values of each list of a product. */
const MAX_PATTERNS = 1000;
const MAX_VALUES = 100;

const group = Type.String({
  ...GroupInput,
  description: "Wallpaper group in place of the pattern's, as `POST /patterns` takes it.",
});
const palette = withoutDefault(PatternPalette);

/** What is asked for of one pattern. */
export const BatchRequest = Type.Object(
  {
    pattern_id: Id,
    group: Type.Optional(group),
    palette,
    ...RenderFields.properties,
  },
  {
    ...strict,
    description:
      "A pattern, the group and the palette that replace its own if they are given (a palette of null: the picture's own colours), and the fields of a render.",
  },
);
export type BatchRequest = Static<typeof BatchRequest>;

const { size, format, ...otherFields } = RenderFields.properties;

export const BatchProduct = Type.Object(
  {
    pattern_ids: Type.Array(Id, { minItems: 1, maxItems: MAX_PATTERNS }),
    palettes: Type.Optional(
      Type.Array(PatternPalette, {
        minItems: 1,
        maxItems: MAX_VALUES,
        description: "Default: each pattern's own.",
      }),
    ),
    groups: Type.Optional(
      Type.Array(group, {
        minItems: 1,
        maxItems: GROUP_NAMES.length,
        description: "Default: each pattern's own.",
      }),
    ),
    sizes: Type.Array(size, { minItems: 1, maxItems: MAX_VALUES, default: [LIMITS.tile.default] }),
    formats: Type.Array(format, { minItems: 1, maxItems: MAX_VALUES, default: ["png"] }),
    render: Type.Object(otherFields, {
      ...strict,
      default: {},
      description: "The other fields of the renders.",
    }),
  },
  {
    ...strict,
    description:
      "An item for each combination of pattern, palette, group, size and format: the last one changes first.",
  },
);
export type BatchProduct = Static<typeof BatchProduct>;

/** An item of a request, which `BatchRequest` checks later: ten thousand would block the event loop. */
const UncheckedItem = Type.Refine(
  Type.Unsafe<object>({
    title: "an object",
    shownAs: jsonSchema(BatchRequest, { input: true, defaults: true }),
  }),
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

export const NewBatch = Type.Object(
  {
    name: Type.Union([Name(NAME_LENGTH), Type.Null()], {
      default: null,
      description: "Display name.",
    }),
    product: Type.Optional(BatchProduct),
    items: Type.Optional(Type.Array(UncheckedItem, { minItems: 1, maxItems: MAX_ITEMS })),
  },
  { ...strict, description: "Either a product or a list of items." },
);
export type NewBatch = Static<typeof NewBatch>;

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const Batch = Type.Object(
  {
    id: Id,
    name: Type.Union([Type.String(), Type.Null()]),
    status: Type.Enum([...BATCH_STATES], {
      description:
        "`queued`: not started. `running`: in progress. `finished`: each item has its picture or an error. `cancelled`: items that were not rendered stay `queued`.",
    }),
    progress: Type.Integer({ minimum: 0, maximum: 100, description: "Percent." }),
    total: Count("Number of items."),
    done: Count("Items with a picture."),
    failed: Count("Items with an error."),
    manifest_url: Type.String({ format: "uri", description: "The manifest of all items." }),
    created_at: Timestamp,
    finished_at: Type.Union([Timestamp, Type.Null()]),
    expires_at: Type.Union([Timestamp, Type.Null()], {
      description:
        "When the batch is deleted: 7 days after it ended, unless the operator chose another time.",
    }),
  },
  {
    ...strict,
    description: "Renders that were ordered together.",
    examples: [
      {
        id: 5,
        name: "Spring collection",
        status: "finished",
        progress: 100,
        total: 240,
        done: 239,
        failed: 1,
        manifest_url: "https://patterns.example/api/v1/batches/5/manifest",
        created_at: "2026-01-31T12:00:00.000Z",
        finished_at: "2026-01-31T12:00:42.000Z",
        expires_at: "2026-02-07T12:00:42.000Z",
      },
    ],
  },
);
export type Batch = Static<typeof Batch>;

/** Why an item has no picture. */
export const ItemError = Type.Object(
  {
    code: Type.Enum([...FAILURE_CODES], { description: "As in problems." }),
    detail: Type.String(),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            path: Type.String({ description: "JSON pointer into the item." }),
            message: Type.String(),
            expected: Type.Optional(Type.String()),
            received: Type.Optional(Type.String()),
          },
          strict,
        ),
        { description: "What is wrong with the item, one entry for each place." },
      ),
    ),
  },
  strict,
);
export type ItemError = Static<typeof ItemError>;

const ItemFile = Type.Object(
  {
    url: Type.String({ format: "uri", description: "Returns the picture, with a key." }),
    media_type: Type.String(),
    bytes: Type.Integer({ description: "Length." }),
    sha256: Type.String({ description: "SHA-256 of the picture's bytes, in hex." }),
    width: Type.Integer({ description: "Pixels." }),
    height: Type.Integer({ description: "Pixels." }),
  },
  strict,
);

export const BatchItem = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: "Place in the batch, from 0." }),
    pattern_id: Id,
    name: Type.Union([Type.String(), Type.Null()], {
      description: "The pattern's name when the batch was created.",
    }),
    status: Type.Enum([...BATCH_ITEM_STATES]),
    request: BatchRequest,
    file: Type.Union([ItemFile, Type.Null()], { description: "Null until the item is done." }),
    error: Type.Union([ItemError, Type.Null()], { description: "Why it failed." }),
  },
  {
    ...strict,
    description: "One render of a batch.",
    examples: [
      {
        index: 17,
        pattern_id: 12,
        name: "Summer tiles",
        status: "done",
        request: Value.Default(BatchRequest, { pattern_id: 12, palette: "lagoon", size: 512 }),
        file: {
          url: "https://patterns.example/api/v1/batches/5/items/17",
          media_type: "image/png",
          bytes: 418_739,
          sha256: "dbc545b1559fc8d111c35b5ebec18bec3206e4c0b1c232ab41f08815314aff19",
          width: 512,
          height: 512,
        },
        error: null,
      },
    ],
  },
);
export type BatchItem = Static<typeof BatchItem>;

/** Returns the URL of a batch. */
export const batchUrl = (publicUrl: string, id: number) => `${publicUrl}/api/v1/batches/${id}`;

/** Returns the URL of a batch's manifest. */
export const manifestUrl = (publicUrl: string, id: number) => `${batchUrl(publicUrl, id)}/manifest`;

/** Returns a batch as the API represents it. */
export function toBatchResponse(row: BatchRow, publicUrl: string): Batch {
  const { account_id: _, created_at, finished_at, expires_at, ...shown } = row;
  return {
    ...shown,
    progress: Math.floor((100 * (row.done + row.failed)) / row.total),
    manifest_url: manifestUrl(publicUrl, row.id),
    created_at: created_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
    expires_at: expires_at?.toISOString() ?? null,
  };
}

/** Returns an item of a batch as the API represents it. */
export function toItemResponse(row: ItemRow, batchId: number, publicUrl: string): BatchItem {
  const { index, pattern_id, name, status, sha256, bytes, media_type, width, height } = row;
  const hasFile =
    sha256 !== null && bytes !== null && media_type !== null && width !== null && height !== null;
  return {
    index,
    pattern_id,
    name,
    status,
    request: row.request as BatchRequest,
    file: hasFile
      ? {
          url: `${batchUrl(publicUrl, batchId)}/items/${index}`,
          media_type,
          bytes,
          sha256,
          width,
          height,
        }
      : null,
    error: row.error as ItemError | null,
  };
}
