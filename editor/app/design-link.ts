/**
 * Links that carry a whole design in their fragment, which no request contains: `/editor#design=1.…`, the
 * number of the form and then JSON, deflated, in base64url. The picture is only named: its owner keeps it.
 */
import type { Source } from "../../server/actions/sources.ts";
import { call, SERVICE } from "../shared/api.ts";
import { t } from "../shared/messages.ts";
import { checkRecipe, type Draft, type Recipe } from "./draft.ts";

const FORM = "1";

/** Characters of a link's design, and of its JSON. A long chain of effects has a tenth of that. */
const LONGEST = 16_000;
const LONGEST_JSON = 100_000;

/** Resolves with the address of a draft for others. */
export async function linkTo({ source, ...recipe }: Draft): Promise<string> {
  const picture = source && { id: source.id, sha256: source.sha256 };
  const json = new Blob([JSON.stringify({ ...recipe, picture })]);
  const deflated = json.stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(deflated).arrayBuffer());
  const text = bytes.toBase64({ alphabet: "base64url", omitPadding: true });
  return new URL(`editor#design=${FORM}.${text}`, SERVICE).href;
}

export interface LinkedDesign {
  readonly recipe: Recipe;
  /** Null where it is not this account's. */
  readonly source: Source | null;
}

/**
 * Resolves with the design that the page's address carries; null where it carries none. It is taken out of
 * the address, so that a reload continues the draft. Rejects with a sentence about what is wrong with it.
 */
export async function designInAddress(token: string): Promise<LinkedDesign | null> {
  const [, form, text] = /^#design=([^.]*)\.?(.*)$/s.exec(location.hash) ?? [];
  if (form === undefined || text === undefined) return null;
  history.replaceState(null, "", location.pathname + location.search);
  if (/^\d+$/.test(form) && form !== FORM) {
    throw new Error(t("link.version"));
  }
  const { picture, ...fields } = await read(form === FORM ? text : "");
  const recipe = await checkRecipe(fields).catch((error) => {
    throw new Error(t("link.unusable", { reason: error.message }), { cause: error });
  });
  return { recipe, source: await sourceOf(picture, token) };
}

/** Rejects for anything but a whole link. */
async function read(text: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    if (text.length > LONGEST) throw new RangeError("the link is too long");
    const bytes = Uint8Array.fromBase64(text, { alphabet: "base64url" });
    const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const fields = JSON.parse(await textOf(inflated));
    if (typeof fields !== "object" || fields === null) throw new TypeError("no design");
    return fields;
  } catch (cause) {
    throw new Error(t("link.damaged"), { cause });
  }
}

/** A few bytes may inflate to a great many. */
async function textOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).text();
    length += value.length;
    if (length > LONGEST_JSON) throw new RangeError("the design is too long");
    parts.push(value);
  }
}

interface SourcePage {
  readonly data: readonly Source[];
  readonly next_cursor: string | null;
}

/**
 * Resolves with the account's picture of this hash, null if it has none. Looked up in the list: to ask for one
 * that is not there would be an error in the browser's log.
 */
async function sourceOf(picture: unknown, token: string): Promise<Source | null> {
  const { id, sha256 } = (picture ?? {}) as { readonly id?: unknown; readonly sha256?: unknown };
  for (let cursor = ""; ; ) {
    const path = `sources?limit=100${cursor}`;
    const { data, next_cursor } = await call<SourcePage>("GET", path, { token });
    const found = data.find((source) => source.sha256 === sha256);
    if (found !== undefined) return found;
    // Newest first: those that follow are older than the link's.
    const isPast = !data.some((source) => source.id > Number(id));
    if (next_cursor === null || isPast) return null;
    cursor = `&cursor=${next_cursor}`;
  }
}
