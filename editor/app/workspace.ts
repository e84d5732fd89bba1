/** What the editor works with: the session, its sources, the catalogues, and what happens. */
import { effect, signal } from "@preact/signals";
import type { Static } from "typebox";
import type {
  Palette,
  PatternEffect,
  Preset,
  Style,
  SurfaceEffect,
} from "../../server/actions/catalogues.ts";
import type { Pattern } from "../../server/actions/pattern-fields.ts";
import type { Source } from "../../server/actions/sources.ts";
import { API, ApiError, call } from "../shared/api.ts";
import { isBusy, attempt as sharedAttempt, status } from "../shared/attempt.ts";
import { startEngine } from "../shared/engine.ts";
import { t } from "../shared/messages.ts";
import type { Session } from "../shared/session.ts";
import type { Draft } from "./draft.ts";
import { change, draft, keepHistory } from "./history.ts";
import { patternInAddress } from "./open-pattern.ts";
import { problemInWords } from "./problem-words.ts";

export { isBusy, status } from "../shared/attempt.ts";

/** Runs work with its name as the status, and shows why it failed. */
export const attempt = (name: string, work: () => Promise<void>) =>
  sharedAttempt(name, work, problemInWords);

export const session = signal<Session | null>(null);
export const sources = signal<readonly Source[]>([]);
export const presets = signal<readonly Static<typeof Preset>[]>([]);
export const palettes = signal<readonly Static<typeof Palette>[]>([]);
export const effects = signal<readonly Static<typeof PatternEffect>[]>([]);
export const surfaceEffects = signal<readonly Static<typeof SurfaceEffect>[]>([]);
export const styles = signal<readonly Static<typeof Style>[]>([]);

/** The design that was saved last, and its pattern. */
export const saved = signal<{ readonly design: string; readonly id: number } | null>(null);

/** Returns the token of the session. Throws before there is one. */
export function tokenOf(): string {
  if (session.value === null) throw new Error("there is no session");
  return session.value.token;
}

/** Opens the editor of a session. Rejects with `ApiError`. */
export async function openWorkspace(opened: Session): Promise<void> {
  const { token } = opened;
  const list = <Row>(path: string) =>
    call<{ readonly data: readonly Row[] }>("GET", path, { token });
  startEngine({ api: API.href, token });
  const [known, ofPresets, ofPalettes, ofStyles, ofEffects, ofSurfaces] = await Promise.all([
    list<Source>("sources"),
    list<Static<typeof Preset>>("presets"),
    list<Static<typeof Palette>>("palettes"),
    list<Static<typeof Style>>("styles"),
    list<Static<typeof PatternEffect>>("effects"),
    list<Static<typeof SurfaceEffect>>("surface-effects"),
  ]);
  sources.value = known.data;
  presets.value = ofPresets.data;
  palettes.value = ofPalettes.data;
  styles.value = ofStyles.data;
  effects.value = ofEffects.data;
  surfaceEffects.value = ofSurfaces.data;
  // The end of a token is its signature, which opens nothing on its own.
  const isLost = keepHistory(
    `design ${"account_id" in opened ? opened.account_id : token.slice(-16)}`,
  );
  session.value = opened;
  effect(() => {
    // What went wrong has been read once the design changes.
    if (draft.value && !isBusy.peek()) status.value = "";
  });
  const named = await patternInAddress(token);
  if (named !== null) {
    change(named.draft);
    saved.value = { design: JSON.stringify(patternFields(named.draft)), id: named.id };
  }
  const [newest] = known.data;
  if (draft.value.source === null && newest !== undefined) change({ source: newest });
  status.value = isLost ? t("status.lost") : "";
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
  const create = async () =>
    (await call<Pattern>("POST", "patterns", { ...options, creates: true })).id;
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
