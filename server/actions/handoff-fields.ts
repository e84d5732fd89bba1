/** What a shop says of a handoff, and its checks. */
import Type, { type Static, type TSchema } from "typebox";
import { Value } from "typebox/value";
import type { Account, Handoff } from "../../db/index.ts";
import {
  checkDesign,
  checkPrint,
  InvalidRecipe,
  LIMITS,
  PrintFields,
  plainDesign,
  products,
  type ValidationIssue,
} from "../../engine/index.ts";
import { InvalidInput, issueAt } from "./errors.ts";
import { Name, strict } from "./fields.ts";
import { ProductId } from "./mockups.ts";
import { isSafe } from "./origins.ts";

export const OrNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const { side, dpi } = LIMITS.print;

export const HandoffProduct = Type.Object(
  {
    title: Type.Optional(Type.String({ ...Name(200), description: "Shown to the customer." })),
    mockup: Type.Optional({
      ...ProductId,
      description: "The product of the mockups on which the customer sees the pattern.",
    }),
    width_mm: Type.Optional(
      Type.Number({ ...side, description: "Width of the print; with `height_mm`." }),
    ),
    height_mm: Type.Optional(
      Type.Number({ ...side, description: "Height of the print; with `width_mm`." }),
    ),
    dpi: Type.Number({
      ...dpi,
      description: `Pixels per inch of the print, which has at most ${LIMITS.surface.maximum} pixels a side.`,
    }),
  },
  {
    ...strict,
    examples: [{ title: "Mug", mockup: "mug", width_mm: 228, height_mm: 85, dpi: 300 }],
    description: "What the pattern is for.",
  },
);
export type HandoffProduct = Static<typeof HandoffProduct>;

export const ReturnUrl = Type.String({
  format: "uri",
  examples: ["https://shop.example/products/4711?variant=blue"],
});

export const MaxPatterns = Type.Integer({
  examples: [20],
  description:
    "Creations that cost credits, and uploads, that the session may make; more are refused with `quota_exceeded`.",
});

export const Locale = Type.String({
  minLength: 2,
  maxLength: 35,
  examples: ["de-CH"],
  description: "The customer's language, a BCP 47 tag.",
});

export const Metadata = Type.Record(Type.String(), Type.Unknown(), {
  examples: [{ cart: "c-81" }],
  description: "The shop's own data.",
});

/** Bytes of metadata as JSON. */
const METADATA_BYTES = 4096;

export const State = Type.String({
  ...Name(500),
  examples: ["3f9a"],
  description: "Opaque; returned unchanged, covered by the signature.",
});

const Target = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 2000,
    examples: ["https://shop.example/products/4711?variant=blue"],
    description: `${description}: https, or http for loopback, with one of the account's \`return_origins\` if it has any.`,
  });

export const NewHandoff = Type.Object(
  {
    product_id: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      examples: [4711],
      description: "The shop's product id.",
    }),
    return_url: Target("URL that the customer returns to, with `pf_pattern_id` added"),
    cancel_url: Type.Optional(Target("URL for customers who cancel; default: `return_url`")),
    product: Type.Optional(HandoffProduct),
    locale: Type.Optional(Locale),
    metadata: Type.Optional({
      ...Metadata,
      description: `The shop's own data: an object of at most ${METADATA_BYTES} bytes as JSON, which the event \`design.applied\` and \`GET /embed/handoffs/{id}\` contain.`,
    }),
    state: Type.Optional(State),
    max_patterns: Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 20,
      description:
        "Number of credits the customer's session may spend: a pattern costs 1, and so does a source from a preset. The same number of images may be uploaded.",
    }),
  },
  strict,
);

type StoredFields = Pick<
  Handoff,
  | "product_id"
  | "product"
  | "return_url"
  | "cancel_url"
  | "locale"
  | "metadata"
  | "state"
  | "max_patterns"
>;

/**
 * Returns the fields of a handoff as they are stored. Throws InvalidInput with all issues: URLs that
 * customers may not be sent to, a print that cannot be made, an unknown language, large metadata.
 */
export function parseHandoff(
  body: Static<typeof NewHandoff>,
  origins: Account["return_origins"],
): StoredFields {
  const { product_id, metadata = null, state = null, max_patterns } = body;
  const product = storedProduct(body.product);
  const issues = [...productIssues(product), ...metadataIssues(metadata)];
  const target = (path: string, text: string) => {
    const url = URL.parse(text);
    if (url !== null && isTarget(url, origins)) return url.href;
    const expected =
      origins.length > 0
        ? `an address of ${origins.join(" or ")}`
        : "an https:// address of a shop";
    issues.push(issueAt(path, text, expected, "is not an allowed return URL"));
    return text;
  };
  const return_url = target("/return_url", body.return_url);
  const cancel_url = body.cancel_url === undefined ? null : target("/cancel_url", body.cancel_url);
  const locale = body.locale === undefined ? null : canonicalLocale(body.locale);
  if (body.locale !== undefined && locale === null) {
    issues.push(issueAt("/locale", body.locale, "a BCP 47 tag such as de-CH"));
  }
  if (issues.length > 0) throw new InvalidInput(issues);
  return { product_id, product, return_url, cancel_url, locale, metadata, state, max_patterns };
}

const isTarget = (url: URL, origins: readonly string[]) =>
  isSafe(url) &&
  url.username === "" &&
  url.password === "" &&
  (origins.length === 0 || origins.includes(url.origin));

function canonicalLocale(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

/** NUL and halves of surrogate pairs in JSON, which PostgreSQL does not store. */
const NOT_TEXT = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

function metadataIssues(metadata: Handoff["metadata"]): ValidationIssue[] {
  const json = JSON.stringify(metadata);
  const bytes = Buffer.byteLength(json);
  const expected = `an object of at most ${METADATA_BYTES} bytes of JSON, without NUL`;
  if (bytes <= METADATA_BYTES && !NOT_TEXT.test(json)) return [];
  return [issueAt("/metadata", metadata, expected, `has ${bytes} bytes`)];
}

/** Replaces halves of surrogate pairs in the title, which PostgreSQL does not store in JSON. */
function storedProduct(product: HandoffProduct | undefined): HandoffProduct | null {
  if (product === undefined) return null;
  const { title, ...same } = product;
  return title === undefined ? same : { title: title.toWellFormed(), ...same };
}

function productIssues(product: HandoffProduct | null): ValidationIssue[] {
  if (product === null) return [];
  const { width_mm, height_mm } = product;
  if ((width_mm === undefined) !== (height_mm === undefined)) {
    const missing = width_mm === undefined ? "width_mm" : "height_mm";
    const expected = "both width_mm and height_mm, or neither";
    const message = `${missing} is missing: a print has two sides`;
    return [{ path: `/product/${missing}`, message, expected, received: "nothing" }];
  }
  const print = printOf(product);
  if (print === null) return [];
  try {
    checkPrint(checkDesign(plainDesign("p4")), print);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidRecipe)) throw error;
    return error.issues.map((issue) => ({ ...issue, path: `/product${issue.path}` }));
  }
}

/** Returns the print of a product, a PNG with cells as its mockup shows them; null without a size. */
export function printOf({ mockup, ...size }: HandoffProduct): PrintFields | null {
  const { width_mm, height_mm, dpi } = size;
  if (width_mm === undefined || height_mm === undefined) return null;
  const cell = products.find(({ id }) => id === mockup)?.cell;
  const print = Value.Default(PrintFields, { width_mm, height_mm, dpi }) as PrintFields;
  return { ...print, format: "png", ...(cell !== undefined && { cell_mm: cell }) };
}
