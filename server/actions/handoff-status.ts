/** Handoffs as the shop reads them back. */
import Type, { type Static } from "typebox";
import { Value } from "typebox/value";
import type { Handoff as HandoffRow, Page } from "../../db/index.ts";
import {
  type Checked,
  checkRender,
  type Design,
  products,
  RenderFields,
  sheetOf,
} from "../../engine/index.ts";
import { requireFound } from "./errors.ts";
import { Id, pageFields, readCursor, strict, Timestamp } from "./fields.ts";
import {
  HandoffProduct,
  Locale,
  MaxPatterns,
  Metadata,
  OrNull,
  printOf,
  ReturnUrl,
  State,
} from "./handoff-fields.ts";
import { linkToMockup } from "./mockup-links.ts";
import { Pattern, patternExample } from "./pattern-fields.ts";
import { type LinkSubject, linkTo, RenderLink } from "./render-links.ts";
import type { Services } from "./services.ts";
import { GUEST_LIFETIME_SECONDS } from "./tokens.ts";

const fields = {
  id: Id,
  product_id: Type.Integer({ examples: [4711] }),
  status: Type.Enum(["open", "finished", "cancelled", "expired"], {
    description:
      "open: the customer may still return. expired: the link, or the session that it opened, is older than 24 hours.",
  }),
  pattern_id: OrNull(Id),
  product: OrNull(HandoffProduct),
  locale: OrNull(Locale),
  return_url: ReturnUrl,
  cancel_url: OrNull(ReturnUrl),
  metadata: OrNull(Metadata),
  state: OrNull(State),
  max_patterns: MaxPatterns,
  created_at: Timestamp,
  expires_at: Timestamp,
  opened_at: OrNull(Timestamp),
  finished_at: OrNull(Timestamp),
  cancelled_at: OrNull(Timestamp),
};

const example = {
  id: 12,
  product_id: 4711,
  status: "finished",
  pattern_id: 345,
  product: { title: "Mug", mockup: "mug", width_mm: 228, height_mm: 85, dpi: 300 },
  locale: "de-CH",
  return_url: "https://shop.example/products/4711?variant=blue",
  cancel_url: null,
  metadata: { cart: "c-81" },
  state: "3f9a",
  max_patterns: 20,
  created_at: "2026-01-31T12:00:00.000Z",
  expires_at: "2026-02-01T12:00:00.000Z",
  opened_at: "2026-01-31T12:00:09.000Z",
  finished_at: "2026-01-31T12:08:30.000Z",
  cancelled_at: null,
};

export const Handoff = Type.Object(fields, {
  ...strict,
  description: "A customer that was handed over to the editor.",
  examples: [example],
});
export type Handoff = Static<typeof Handoff>;

const { id: _, created_at: __, updated_at: ___, ...recipeFields } = Pattern.properties;

const Snapshot = Type.Object(
  {
    pattern_id: Id,
    ...recipeFields,
    source_sha256: Type.String({ description: "SHA-256 of the source's bytes, in hex." }),
    handed_over_at: Timestamp,
  },
  {
    ...strict,
    description:
      "Snapshot of the pattern at the first return; later changes or deletion do not affect it.",
  },
);

const Links = Type.Object(
  {
    preview: RenderLink,
    mockup: OrNull(RenderLink),
    print: OrNull(RenderLink),
  },
  {
    ...strict,
    description:
      "Signed links to the snapshot, valid for 7 days; every call returns new ones. `preview`: a tile of 512 pixels. `mockup`: the product that the handoff names, as a JPEG. `print`: a PNG of the product's size. Null where the handoff names none.",
  },
);

const { id: ____, created_at, updated_at, ...recipeExample } = patternExample;
const linkExample = (name: string) => ({
  url: `https://patterns.example/api/v1/renders/${name}?token=eyJhbGciOiJIUzI1`,
  expires_at: "2026-02-07T12:09:00.000Z",
});

export const HandoffDetail = Type.Object(
  { ...fields, snapshot: OrNull(Snapshot), links: OrNull(Links) },
  {
    ...strict,
    description: "A handoff with what the customer returned with.",
    examples: [
      {
        ...example,
        snapshot: {
          ...recipeExample,
          pattern_id: 345,
          source_sha256: "dbc545b1559fc8d111c35b5ebec18bec3206e4c0b1c232ab41f08815314aff19",
          handed_over_at: "2026-01-31T12:08:30.000Z",
        },
        links: {
          preview: linkExample("pattern-345.png"),
          mockup: linkExample("pattern-345-mug.jpg"),
          print: linkExample("pattern-345.png"),
        },
      },
    ],
  },
);
export type HandoffDetail = Static<typeof HandoffDetail>;

type Recipe = Omit<Static<typeof Snapshot>, "pattern_id" | "handed_over_at">;

/** Returns a handoff as the API represents it. */
export function toHandoffResponse(row: HandoffRow): Handoff {
  const {
    account_id: _,
    created_at,
    expires_at,
    opened_at,
    finished_at,
    cancelled_at,
    ...same
  } = row;
  return {
    ...same,
    status: statusOf(row),
    product: row.product as HandoffProduct | null,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    opened_at: opened_at?.toISOString() ?? null,
    finished_at: finished_at?.toISOString() ?? null,
    cancelled_at: cancelled_at?.toISOString() ?? null,
  };
}

function statusOf({ finished_at, cancelled_at, opened_at, expires_at }: HandoffRow) {
  if (finished_at !== null) return "finished";
  if (cancelled_at !== null) return "cancelled";
  const ends =
    opened_at === null ? expires_at.getTime() : opened_at.getTime() + 1000 * GUEST_LIFETIME_SECONDS;
  return ends <= Date.now() ? "expired" : "open";
}

export const HandoffList = Type.Object(pageFields, strict);

/** Returns a page of the account's handoffs, newest first. Throws InvalidInput for an invalid cursor. */
export function listHandoffs(
  { db }: Services,
  accountId: number,
  { cursor, limit }: Static<typeof HandoffList>,
): Promise<Page<HandoffRow>> {
  return db.handoffs.list(accountId, { ...readCursor(cursor), limit });
}

export const HandoffRead = Type.Object(
  {
    pattern_id: Type.Optional(
      Type.Integer({
        ...Id,
        description: "One of the patterns that the customer returned with; default: the last one.",
      }),
    ),
  },
  strict,
);

/** Returns a handoff with its snapshot and links to it. Throws NotFound, QuotaExceeded. */
export async function getHandoff(
  services: Services,
  accountId: number,
  id: number,
  { pattern_id = null }: { readonly pattern_id?: number | null },
): Promise<HandoffDetail> {
  const { handoffs } = services.db;
  const row = requireFound(await handoffs.get(accountId, id), `handoff ${id}`);
  const returned = await handoffs.getReturn(id, pattern_id);
  if (pattern_id !== null) requireFound(returned, `pattern ${pattern_id} of handoff ${id}`);
  const shown = toHandoffResponse(row);
  if (returned === null) return { ...shown, snapshot: null, links: null };
  // Snapshots that were taken before there were counterchanges have none.
  const { counterchange = null, ...others } = returned.recipe as Recipe;
  const recipe = { ...others, counterchange };
  const { source_id, source_sha256, name, ...design } = recipe;
  const stored: Design = design;
  const subject = {
    pattern: { account_id: accountId, id: returned.pattern_id, name },
    // Checked before it was stored, perhaps by an earlier release.
    design: stored as Checked<Design>,
    source: { sha256: source_sha256 },
  };
  return {
    ...shown,
    // The pattern itself may have been deleted.
    pattern_id: returned.pattern_id,
    snapshot: {
      ...recipe,
      pattern_id: returned.pattern_id,
      handed_over_at: returned.handed_over_at.toISOString(),
    },
    links: await linksTo(services, subject, shown.product),
  };
}

const LINK_SECONDS = 7 * 24 * 60 * 60;

/** Edge of the preview in pixels. */
const PREVIEW = 512;

async function linksTo(
  services: Services,
  subject: LinkSubject,
  product: HandoffProduct | null,
): Promise<Static<typeof Links>> {
  const render = (fields: RenderFields) =>
    linkTo(services, subject, checkRender(fields), LINK_SECONDS);
  const mockup = products.find(({ id }) => id === product?.mockup);
  const print = product && printOf(product);
  return {
    preview: await render({ ...Value.Create(RenderFields), size: PREVIEW }),
    mockup:
      mockup === undefined
        ? null
        : await linkToMockup(
            services,
            subject,
            { product: mockup.id, cell_mm: mockup.cell },
            LINK_SECONDS,
          ),
    print: print && (await render(sheetOf(print))),
  };
}
