/** What the editor works with: the session, its sources, the catalogues, and what happens. */
import { effect, signal } from "@preact/signals";
import type { Static } from "typebox";
import type {
  Group,
  Palette,
  PatternEffect,
  Preset,
  Style,
  SurfaceEffect,
} from "../../server/actions/catalogues.ts";
import type { Pattern } from "../../server/actions/pattern-fields.ts";
import type { Source } from "../../server/actions/sources.ts";
import { API, ApiError, call, randomKey } from "../shared/api.ts";
import { isBusy, attempt as sharedAttempt, status } from "../shared/attempt.ts";
import { startEngine } from "../shared/engine.ts";
import { t } from "../shared/messages.ts";
import type { Session } from "../shared/session.ts";
import { designInAddress } from "./design-link.ts";
import type { Draft } from "./draft.ts";
import { change, draft, keepHistory } from "./history.ts";
import { continueDesign, historyName } from "./kept-designs.ts";
import { offerDesign } from "./offered-design.tsx";
import { patternInAddress } from "./open-pattern.ts";
import { problemInWords } from "./problem-words.ts";
import { forget, keep, kept } from "./storage.ts";

export { isBusy, status } from "../shared/attempt.ts";

/** Runs a task as the shared one does, and explains failures in the editor's words. */
export const attempt = (name: string, work: () => Promise<void>, subject = "") =>
  sharedAttempt({ name, subject, explain: problemInWords }, work);

export const session = signal<Session | null>(null);
export const sources = signal<readonly Source[]>([]);
export const groups = signal<readonly Static<typeof Group>[]>([]);
export const presets = signal<readonly Static<typeof Preset>[]>([]);
export const palettes = signal<readonly Static<typeof Palette>[]>([]);
export const effects = signal<readonly Static<typeof PatternEffect>[]>([]);
export const surfaceEffects = signal<readonly Static<typeof SurfaceEffect>[]>([]);
export const styles = signal<readonly Static<typeof Style>[]>([]);

interface SavedDesign {
  readonly design: string;
  readonly id: number;
}

/** The design that was saved last, and its pattern. */
export const saved = signal<SavedDesign | null>(null);

/** Returns the token of the session. Throws before there is one. */
export function tokenOf(): string {
  if (session.value === null) throw new Error("there is no session");
  return session.value.token;
}

interface ListOf<Row> {
  readonly data: readonly Row[];
  /** Null where all rows are there. */
  readonly next_cursor?: string | null;
}

/** Opens the editor of a session. Rejects with `ApiError`. */
export async function openWorkspace(opened: Session): Promise<void> {
  const { token } = opened;
  const list = <Row>(path: string) => call<ListOf<Row>>("GET", path, { token });
  startEngine({ api: API.href, token });
  const [known, ofGroups, ofPresets, ofPalettes, ofStyles, ofEffects, ofSurfaces] =
    await Promise.all([
      list<Source>("sources"),
      list<Static<typeof Group>>("groups"),
      list<Static<typeof Preset>>("presets"),
      list<Static<typeof Palette>>("palettes"),
      list<Static<typeof Style>>("styles"),
      list<Static<typeof PatternEffect>>("effects"),
      list<Static<typeof SurfaceEffect>>("surface-effects"),
    ]);
  sources.value = known.data;
  groups.value = ofGroups.data;
  presets.value = ofPresets.data;
  palettes.value = ofPalettes.data;
  styles.value = ofStyles.data;
  effects.value = ofEffects.data;
  surfaceEffects.value = ofSurfaces.data;
  const isContinued = continueDesign(opened);
  const lost = await keepHistory(historyName(opened));
  session.value = opened;
  whenOver(opened);
  effect(() => {
    // What went wrong has been read once the design changes.
    if (draft.value && !isBusy.peek()) status.value = "";
  });
  const named = await patternInAddress(token);
  if (named !== null) {
    change(named.draft);
    saved.value = { design: JSON.stringify(patternFields(named.draft)), id: named.id };
  }
  const [newest = null] = known.data;
  const { source } = draft.value;
  const isGone =
    source !== null && known.next_cursor === null && !known.data.some(({ id }) => id === source.id);
  if (isGone || (source === null && newest !== null)) change({ source: newest });
  status.value = lost;
  if (isGone) status.value = t("status.gone");
  if (isContinued) status.value = t("status.continued");
  await continueSaved(opened);
  await openLink(token);
}

/** The longest time of a timer, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Asks the service when the session should be over: it knows, and this machine's clock may be wrong. */
function whenOver({ token, expires_at }: Session): void {
  const rest = Date.parse(expires_at) - Date.now() + 1000;
  const ask = () => call("GET", "sources?limit=1", { token }).catch(() => undefined);
  setTimeout(() => void ask(), Math.min(Math.max(rest, 0), LONGEST_TIMER));
}

/** Shows the design that the page's address carries, or asks what shall become of it. */
async function openLink(token: string): Promise<void> {
  try {
    const linked = await designInAddress(token);
    if (linked === null) return;
    const { recipe, source } = linked;
    if (source !== null) return change({ ...recipe, source });
    offerDesign({
      title: t("offer.foreign"),
      text: t("offer.foreignText"),
      use: () => change(recipe),
    });
  } catch (error) {
    status.value = problemInWords(error);
  }
}

/** Continues the pattern that was saved last, if it is still there, and keeps what is saved from now on. */
async function continueSaved(opened: Session): Promise<void> {
  const name = `saved ${historyName(opened)}`;
  const { design, id } = (kept(name) ?? {}) as Partial<SavedDesign>;
  if (saved.value === null && typeof design === "string" && Number.isSafeInteger(id)) {
    const path = `patterns/${id}`;
    saved.value = await call<Pattern>("GET", path, { token: opened.token }).then(
      () => ({ design, id: Number(id) }),
      () => null,
    );
  }
  effect(() => {
    if (saved.value !== null) keep(name, saved.value);
  });
}

/** Adds a source and designs with it. */
export async function addSource(making: Promise<Source>): Promise<void> {
  const source = await making;
  sources.value = [source, ...sources.value];
  change({ source });
}

/** Returns the request that creates a draft's pattern. */
export const patternFields = ({ source, design }: Pick<Draft, "source" | "design">) => ({
  source_id: source?.id,
  ...design,
  // A design that was kept before there were counterchanges has none.
  counterchange: design.counterchange ?? null,
});

/**
 * Resolves with the id of the draft's pattern. A user's is created unless it was; a customer's is one
 * pattern that changes until the shop has it. Rejects with `ApiError`.
 */
export async function savePattern(): Promise<number> {
  const json = patternFields(draft.value);
  const key = JSON.stringify(json);
  if (saved.value?.design === key) return saved.value.id;
  const options = { token: tokenOf(), json };
  const create = async () => {
    const creates = creationKey(key);
    const { id } = await call<Pattern>("POST", "patterns", { ...options, creates });
    forget(CREATION);
    return id;
  };
  const isGuest = session.value !== null && "return_url" in session.value;
  const earlier = isGuest ? saved.value?.id : undefined;
  const id =
    earlier === undefined
      ? await create()
      : await call<Pattern>("PATCH", `patterns/${earlier}`, options).then(
          () => earlier,
          (error) => {
            if (error instanceof ApiError && error.code === "conflict") return create();
            throw error;
          },
        );
  saved.value = { design: key, id };
  return id;
}

/** Name under which the creation of a pattern is kept until it has succeeded. */
const CREATION = "creation";

/**
 * Returns the key by which the service knows the creation of a design's pattern. A page that ends meanwhile, or
 * whose network does, has it the next time, and the pattern is not made twice.
 */
function creationKey(design: string): string {
  const begun = kept(CREATION) as { readonly design?: string; readonly key?: string } | null;
  if (begun?.design === design && typeof begun.key === "string") return begun.key;
  const key = randomKey();
  keep(CREATION, { design, key });
  return key;
}
